// Small things of other pages: the draw for seats, names by one tap, no second tap.

export function listenElsewhere() {
  document.addEventListener("click", (event) => {
    const tile = event.target.closest("[data-pool] [data-tile]");
    if (tile) draw(tile.dataset.tile);
  });
  document.addEventListener("submit", (event) => {
    // A second tap on a button that makes something does nothing.
    if (event.target.matches("[data-once]")) {
      if (event.target.dataset.sent) event.preventDefault();
      event.target.dataset.sent = "1";
    }
  });
  addEventListener("pageshow", () => document.querySelectorAll("[data-once]").forEach((form) => delete form.dataset.sent));
  for (const part of document.querySelectorAll("[data-pool]")) part.hidden = false;
  if (document.querySelector("[data-pool]")) drawn();
  offerNames(document);
  document.addEventListener("news", ({ target }) => offerNames(target));
}

/** The tapped tile goes to the first person without one; tapped again it goes back. */
function draw(name) {
  const fields = [...document.querySelectorAll("[data-drawing] input")];
  const holder = fields.find((field) => field.value === name);
  if (holder) holder.value = "";
  else (fields.find((field) => !field.value) ?? fields.at(-1)).value = name;
  drawn();
}

function drawn() {
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

/** The club's players as buttons: one tap fills the next empty name; where there is but one, that one. */
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
    button.addEventListener("click", () => {
      const field =
        fields.find((each) => each.value === option.value) ??
        (fields.length === 1 ? fields[0] : fields.find((each) => !each.value));
      if (field) field.value = field.value === option.value ? "" : option.value;
      mark();
    });
    return button;
  });
  const mark = () => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", fields.some((field) => field.value === button.textContent));
    }
  };
  for (const field of fields) field.addEventListener("input", mark);
  box.replaceChildren(...buttons);
  box.hidden = false;
  mark();
}
