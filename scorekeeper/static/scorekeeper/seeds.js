// The order of the seeds: each entrant moves up or down by buttons, which number the fields by the list.

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

for (const item of list?.children ?? []) {
  item.append(
    button(item, "↑", list.dataset.up, () => item.previousElementSibling?.before(item)),
    button(item, "↓", list.dataset.down, () => item.nextElementSibling?.after(item)),
  );
}
