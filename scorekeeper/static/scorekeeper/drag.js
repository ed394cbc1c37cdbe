// Two names swap when one of them is dragged onto the other: both are ticked, as by two taps.
const chip = ({ target }) => target.closest?.(".name-chip[draggable]");
const box = (name) => name.querySelector("[name=who]");

export const dragged = () => document.querySelector(".name-chip.dragged");
const under = () => document.querySelector(".name-chip.under");

/** Calls `swap` when two of the names in the form `inside` were ticked by a drag. */
export function listenForDrags(inside, swap) {
  document.addEventListener("dragstart", (event) => {
    const name = chip(event);
    if (!name) return;
    event.dataTransfer.setData("text/plain", box(name).value);
    name.classList.add("dragged");
  });

  for (const type of ["dragenter", "dragover"]) {
    document.addEventListener(type, (event) => {
      const name = chip(event);
      if (under() !== name) under()?.classList.remove("under");
      if (!name || name === dragged()) return;
      event.preventDefault(); // it may be dropped here
      name.classList.add("under");
    });
  }

  document.addEventListener("drop", (event) => {
    const name = chip(event);
    if (!name) return;
    event.preventDefault();
    const two = [event.dataTransfer.getData("text/plain"), box(name).value];
    for (const each of document.querySelectorAll(`${inside} [name=who]`)) each.checked = two.includes(each.value);
    swap();
  });

  document.addEventListener("dragend", () => {
    for (const name of [dragged(), under()]) name?.classList.remove("dragged", "under");
  });
}
