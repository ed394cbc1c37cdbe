// The page of a club night: seats and announcements.
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
