// The desk of a tournament: a tone when the last result of a round arrives. The setting stays on this device.
import "./desk.js";
import { beep, unlock } from "./turn_cue.js";

const QUIET = "quiet-results"; // in localStorage: "1" without a tone

const sounds = () => !localStorage.getItem(QUIET);

function mark() {
  for (const box of document.querySelectorAll("[data-round-sound]")) box.checked = sounds();
}

document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-round-sound]")) localStorage.setItem(QUIET, target.checked ? "" : "1");
});

document.addEventListener("click", ({ target }) => {
  if (sounds()) unlock();
  const offer = target.closest('a[href^="#absent-"]');
  if (offer) document.querySelector(offer.hash).open = true;
});

document.addEventListener("news", ({ target, detail }) => {
  if (target.id !== "desk") return;
  mark();
  const { round, missing, allIn } = target.dataset;
  if (round !== detail.before.round || missing !== "0" || detail.before.missing === "0") return;
  document.getElementById("announce").textContent = allIn;
  if (sounds()) beep();
});

mark();
