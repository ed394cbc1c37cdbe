// Draws playing cards from the ace and the ten of each suit, which the server drew (#cards).
import { made } from "./elements.js";

const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** The names of all cards, suit by suit. */
export const ALL = Object.keys(SIGNS).flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));

/** Makes a button for each of these cards, with these properties. */
export const cardButtons = (names, properties = {}) =>
  names.map((name) => {
    const ariaLabel = name[0].replace("T", "10") + SIGNS[name[1]];
    return made("button", { className: `of-${name[1]}`, ariaLabel, ...properties }, { card: name }, drawnCard(name));
  });

function drawnCard(name) {
  const [rank, suit] = name;
  const { content } = document.getElementById("cards");
  const svg = content.querySelector(`[data-card="${rank === "T" ? "T" : "A"}${suit}"]`).cloneNode(true);
  if (rank !== "T") svg.querySelector(".rank").textContent = rank;
  svg.dataset.card = name;
  return svg;
}
