// The page of a club night: seats, announcements and sharing.
import { changed } from "./where.js";

// Announce the end of a match, but not every move.
const lastResult = () => document.getElementById("night-newest")?.dataset.say;
// After the end, the page shows other things.
const over = () => "over" in document.getElementById("night").dataset;
const wasOver = over();
let announced = lastResult();
changed(() => {
  if (over() !== wasOver) location.reload();
  if (announced !== lastResult()) document.getElementById("announce").textContent = lastResult() ?? "";
  announced = lastResult();
});

// Shares the results with the phone's share menu. On plain http, which has none, copies them and shows the text.
document.querySelector("[data-share]")?.addEventListener("click", async (event) => {
  event.preventDefault();
  const answer = await fetch(event.target.href);
  const text = await answer.text();
  if (!navigator.share) return copy(text);
  try {
    await navigator.share({ text });
  } catch (error) {
    if (error.name !== "AbortError") copy(text);
  }
});

function copy(text) {
  const box = document.getElementById("share-text");
  const area = box.querySelector("textarea");
  const status = box.querySelector("[role=status]");
  box.hidden = false;
  area.value = text;
  area.select();
  // The only way to copy on plain http.
  status.textContent = document.execCommand("copy") ? status.dataset.copied : status.dataset.copy;
}
