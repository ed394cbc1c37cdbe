// The clock of a match: counts down, and shows at its end what the server drew for it.

export function startClock() {
  document.addEventListener("news", (event) => show(event.target));
  setInterval(() => show(document), 1000);
  show(document);
}

function show(inside) {
  const now = Date.now();
  for (const left of inside.querySelectorAll("[data-left]")) {
    const seconds = Math.max(0, Math.ceil((Date.parse(left.dataset.left) - now) / 1000));
    left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
  for (const each of inside.querySelectorAll("[data-until]")) each.hidden = now >= Date.parse(each.dataset.until);
  for (const each of inside.querySelectorAll("[data-from]")) {
    const rings = each.hidden && now >= Date.parse(each.dataset.from);
    if (rings) each.hidden = false;
    if (rings && each.matches(".ending")) document.getElementById("announce").textContent = each.textContent;
  }
}
