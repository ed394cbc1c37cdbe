// Scrolls to the refusal. One that lies over the pad leaves the pad where it is.

export function showRefusal() {
  const refusal = document.getElementById("refusal");
  if (!refusal?.matches(".loud")) return;
  refusal.scrollIntoView({ block: refusal.closest("form.play") ? "nearest" : "start" });
  refusal.focus({ preventScroll: true });
}
