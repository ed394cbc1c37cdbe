// Scrolls to the refusal.

export function showRefusal() {
  const refusal = document.getElementById("refusal");
  if (!refusal?.matches(".loud")) return;
  const play = refusal.closest("form.play");
  if (play) play.scrollIntoView({ block: "end" });
  else refusal.scrollIntoView({ block: "start" });
  refusal.focus({ preventScroll: true });
}
