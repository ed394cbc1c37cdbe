// If the phone belongs to one player, asks only that player whether the score is correct.

export function listenForVoices() {
  narrow(document);
  document.addEventListener("news", ({ target }) => narrow(target));
}

function narrow(inside) {
  const mine = document.querySelector("[data-mine]")?.dataset.mine;
  for (const voices of mine ? inside.querySelectorAll(".voices") : []) {
    const rows = [...voices.children];
    for (const row of rows) row.classList.toggle("mine", row.dataset.name === mine);
    voices.classList.toggle(
      "narrowed",
      rows.some((row) => row.matches(".mine")),
    );
  }
}
