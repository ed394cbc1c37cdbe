// The order of the seeds: each entrant moves up or down by buttons, and the fields are numbered by the list.

const list = document.querySelector("[data-seeds]");

function number() {
  for (const [at, item] of [...list.children].entries()) item.querySelector("input").value = at + 1;
}

function button(item, sign, label, move) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button quiet";
  made.textContent = sign;
  made.setAttribute("aria-label", `${label}: ${item.querySelector("bdi").textContent}`);
  made.addEventListener("click", () => {
    move();
    number();
    made.focus();
  });
  return made;
}

/** A number that was typed moves its entrant there. */
function place(item) {
  const others = [...list.children].filter((each) => each !== item);
  const at = Number(item.querySelector("input").value) - 1;
  if (!(at >= 0)) return;
  if (at < others.length) others[at].before(item);
  else list.append(item);
  number();
}

for (const item of list?.children ?? []) {
  item.querySelector("input").addEventListener("change", () => place(item));
  item.append(
    button(item, "↑", list.dataset.up, () => item.previousElementSibling?.before(item)),
    button(item, "↓", list.dataset.down, () => item.nextElementSibling?.after(item)),
  );
}
