// Fields for playing cards: tapping a card writes it into the field of the current player.
import { ALL, cardButtons } from "./cards.js";

const FIELDS = ".card-fields";

const typedCards = (field) =>
  field.value
    .toUpperCase()
    .replaceAll("10", "T")
    .split(/[\s,]+/)
    .filter(Boolean);

export function listenOnCardFields() {
  spread(document);
  document.addEventListener("news", ({ target }) => spread(target));
  document.addEventListener("click", (event) => {
    const card = event.target.closest(".cards-to-tap [data-card]:not(svg)");
    if (card) tapCard(card);
  });
  for (const change of ["focusin", "input"]) {
    document.addEventListener(change, ({ target }) => {
      if (target.matches(`${FIELDS} .row input`)) goOnWith(target);
    });
  }
}

/** Shows all cards as buttons. */
function spread(inside) {
  for (const pack of inside.querySelectorAll(".cards-to-tap .pack:empty")) {
    pack.append(...cardButtons(ALL, { type: "button", ariaPressed: "false" }));
  }
}

/** Gives the card to the current player or takes it back. Once a hand is complete, moves on to the next player. */
function tapCard(card) {
  const inside = card.closest(FIELDS);
  const most = Number(inside.dataset.most) || Infinity;
  const fields = [...inside.querySelectorAll(".row input")];
  const field = inside.querySelector("input.next") ?? fields[0];
  const there = typedCards(field);
  const now = there.includes(card.dataset.card)
    ? there.filter((each) => each !== card.dataset.card)
    : there.length < most
      ? [...there, card.dataset.card]
      : there;
  field.value = now.join(" ").replaceAll("T", "10");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  goOnWith((now.length === most && fields.find((each) => typedCards(each).length < most)) || field);
}

function goOnWith(field) {
  const inside = field.closest(FIELDS);
  for (const each of inside.querySelectorAll(".row input")) each.classList.toggle("next", each === field);
  inside.querySelector("[data-whose]").textContent = field.labels[0].textContent;
  const there = typedCards(field);
  for (const card of inside.querySelectorAll("[data-card]:not(svg)")) {
    card.setAttribute("aria-pressed", there.includes(card.dataset.card));
  }
}
