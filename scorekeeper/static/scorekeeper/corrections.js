// Choosing a player who already has a seat swaps the two players.
const seats = document.querySelector("[data-seats]");
const all = [...seats.querySelectorAll("select")];

function change(chosen) {
  const other = all.find((each) => each !== chosen && each.value === chosen.value);
  if (other) other.value = chosen.dataset.was;
  for (const each of all) each.dataset.was = each.value;
}

seats.addEventListener("change", ({ target }) => change(target));
for (const each of all) each.dataset.was = [...each.options].find((option) => option.defaultSelected).value;
// The user may have chosen before this script was loaded.
for (const each of all) if (each.value !== each.dataset.was) change(each);
