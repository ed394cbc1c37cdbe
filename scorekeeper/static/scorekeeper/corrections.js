// Who is chosen for one seat leaves the other: two names change places by one choice.
const seats = document.querySelector("[data-seats]");

function remember() {
  for (const each of seats.querySelectorAll("select")) each.dataset.was = each.value;
}

seats.addEventListener("change", ({ target }) => {
  const other = [...seats.querySelectorAll("select")].find((each) => each !== target && each.value === target.value);
  if (other) other.value = target.dataset.was;
  remember();
});
remember();
