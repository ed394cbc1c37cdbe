// Who is chosen for one seat leaves the other: two names change places by one choice.
const seats = document.querySelector("[data-seats]");
const all = [...seats.querySelectorAll("select")];

function change(chosen) {
  const other = all.find((each) => each !== chosen && each.value === chosen.value);
  if (other) other.value = chosen.dataset.was;
  for (const each of all) each.dataset.was = each.value;
}

seats.addEventListener("change", ({ target }) => change(target));
for (const each of all) each.dataset.was = [...each.options].find((option) => option.defaultSelected).value;
// Who was quicker than this script has chosen already.
for (const each of all) if (each.value !== each.dataset.was) change(each);
