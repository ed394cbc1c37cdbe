// The order of the criteria: ticked ones count, dragged or moved by buttons. Without scripts, people number them.

const list = document.querySelector("[data-criteria]");
const others = document.createElement("ul"); // the criteria that do not count
let dragged = null;

const fieldOf = (item) => item.querySelector("input.digits");
const boxOf = (item) => item.querySelector("input[type=checkbox]");

/** Numbers the criteria that count by their order in the list. */
function number() {
  for (const item of [...list.children, ...others.children]) {
    const counts = boxOf(item).checked;
    if (counts !== list.contains(item)) (counts ? list : others).append(item);
    item.draggable = counts;
    for (const button of item.querySelectorAll("button")) button.hidden = !counts;
    fieldOf(item).value = "";
  }
  for (const [at, item] of [...list.children].entries()) fieldOf(item).value = at + 1;
}

/** Makes the list of the others, folded in. */
function foldOthers() {
  const more = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = list.dataset.more;
  others.className = list.className;
  more.append(summary, others);
  list.after(more);
}

function button(item, sign, label, move) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button quiet";
  made.textContent = sign;
  made.setAttribute("aria-label", `${label}: ${item.querySelector("label").textContent}`);
  made.addEventListener("click", () => {
    move();
    number();
    made.focus();
  });
  return made;
}

function equip(item) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = Boolean(fieldOf(item).value);
  box.id = `${fieldOf(item).id}-counts`;
  box.setAttribute("aria-describedby", item.querySelector("small").id);
  box.addEventListener("change", () => {
    number();
    box.focus();
  });
  item.querySelector("label").htmlFor = box.id;
  item.prepend(box);
  item.append(
    button(item, "↑", list.dataset.up, () => item.previousElementSibling?.before(item)),
    button(item, "↓", list.dataset.down, () => item.nextElementSibling?.after(item)),
  );
}

if (list) {
  for (const item of list.children) equip(item);
  foldOthers();
  number();
  list.addEventListener("dragstart", ({ target }) => (dragged = target.closest("li")));
  list.addEventListener("dragover", (event) => {
    const over = event.target.closest("li");
    if (!dragged || !over || over === dragged) return;
    event.preventDefault();
    const after = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
    over[after ? "after" : "before"](dragged);
  });
  list.addEventListener("drop", (event) => event.preventDefault());
  list.addEventListener("dragend", () => {
    dragged = null;
    number();
  });
}
