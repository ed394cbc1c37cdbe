// The form for a new match: draw for seats, common numbers, presets and names to tap.

export function listenOnNewMatch() {
  document.addEventListener("click", (event) => {
    const tile = event.target.closest("[data-pool] [data-tile]");
    if (tile) draw(tile.dataset.tile);
  });
  for (const part of document.querySelectorAll("[data-pool]")) part.hidden = false;
  if (document.querySelector("[data-pool]")) showDrawn();
  for (const box of document.querySelectorAll("[data-choices]")) offerNumbers(box);
  document.addEventListener(
    "change",
    ({ target }) => target.closest(".preset") && showPreset(target.closest(".preset")),
  );
  offerNames(document);
  document.addEventListener("news", ({ target }) => offerNames(target));
}

/** Adds buttons with common numbers next to the field for any number. */
function offerNumbers(box) {
  const field = box.previousElementSibling;
  const mark = () => {
    for (const button of box.children) button.setAttribute("aria-pressed", button.value === field.value);
  };
  box.addEventListener("click", ({ target }) => {
    if (!target.value) return;
    field.value = target.value;
    mark();
  });
  field.addEventListener("input", mark);
  addEventListener("pageshow", mark); // the browser restores what was typed
  box.hidden = false;
  mark();
}

/** Shows the name of the preset that matches the options. */
function showPreset(preset) {
  const on = `${[...preset.querySelectorAll(":checked")].map(({ name }) => name).sort()}`;
  for (const other of preset.querySelectorAll("[data-switches]")) {
    other.hidden = `${other.dataset.switches.split(" ").filter(Boolean).sort()}` !== on;
  }
}

/** Gives the tile to the first person without one; a second tap takes it back. */
function draw(name) {
  const fields = [...document.querySelectorAll("[data-drawing] input")];
  const holder = fields.find((field) => field.value === name);
  if (holder) holder.value = "";
  else (fields.find((field) => !field.value) ?? fields.at(-1)).value = name;
  showDrawn();
}

function showDrawn() {
  const fields = [...document.querySelectorAll("[data-drawing] input")];
  const taken = new Map(fields.map((field) => [field.value, field]));
  const next = fields.find((field) => !field.value);
  for (const tile of document.querySelectorAll("[data-pool] [data-tile].lit, [data-pool] button")) {
    tile.classList.toggle("chosen", taken.has(tile.dataset.tile));
  }
  for (const field of fields) {
    const row = field.closest("li");
    const picture = document.querySelector(`[data-pool] button[data-tile="${CSS.escape(field.value)}"] svg`);
    row.querySelector(".slot").replaceChildren(...(picture ? [picture.cloneNode(true)] : []));
    row.toggleAttribute("data-next", field === next);
  }
}

/** Shows the club's players as buttons. One replaces the name in the field with the focus, else fills the next empty
 * field, or the last one if none is empty. */
function offerNames(inside) {
  for (const box of inside.querySelectorAll("[data-quick]")) offer(box);
}

function offer(box) {
  const form = box.closest("form");
  const fields = [...form.querySelectorAll("input[list=players]")];
  const seated = [...form.querySelectorAll("[name=seat]")].map((seat) => seat.nextElementSibling.textContent);
  const others = [...document.querySelectorAll("#players option")].filter(({ value }) => !seated.includes(value));
  const buttons = others.map((option) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: option.value });
    button.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    button.addEventListener("click", () => choose(fields, option.value, mark));
    return button;
  });
  const mark = () => {
    for (const button of buttons) {
      button.setAttribute(
        "aria-pressed",
        fields.some((field) => field.value === button.textContent),
      );
    }
  };
  for (const field of fields) field.addEventListener("input", mark);
  addEventListener("pageshow", mark); // the browser restores what was typed
  box.replaceChildren(...buttons);
  box.hidden = false;
  mark();
}

/** Puts the name into its field, or takes it out if it is there. If it has another field,
 * the two names change places. */
function choose(fields, name, mark) {
  const held = fields.find((each) => each.value === name);
  const focused = fields.find((each) => each === document.activeElement);
  const field = focused ?? held ?? fields.find((each) => !each.value) ?? fields.at(-1);
  if (held && held !== field) held.value = field.value;
  field.value = held === field ? "" : name;
  mark();
  if (focused && field.value) fields.find((each) => !each.value)?.focus();
}
