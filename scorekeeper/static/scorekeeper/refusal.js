// What the server refused, brought into sight.

export function showRefusal() {
  const refusal = document.getElementById("refusal");
  if (!refusal?.matches(".loud")) return;
  const play = refusal.closest("form.play");
  if (play) play.scrollIntoView({ block: "end" });
  else refusal.scrollIntoView({ block: "start" });
  refusal.focus({ preventScroll: true });
}
