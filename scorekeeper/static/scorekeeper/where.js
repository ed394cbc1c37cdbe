// Answers “Where do I sit?” at once, and again whenever something changes.

/** Calls `look` after every change of the page. */
export const changed = (look) =>
  new MutationObserver(look).observe(document.getElementById("main"), { childList: true, subtree: true });

const select = document.getElementById("me");

function answer() {
  const seat = select.value && document.querySelector(`[data-live] [data-player="${CSS.escape(select.value)}"]`);
  const here = document.getElementById("my-seat");
  const html = seat ? seat.innerHTML : "";
  if (here.innerHTML.trim() !== html.trim()) here.innerHTML = html;
}

if (select) {
  // Goes to the address with the player's name, so that this phone remembers it.
  select.addEventListener("change", () => select.form.requestSubmit());
  select.form.querySelector("button").hidden = true;
  changed(answer);
}
