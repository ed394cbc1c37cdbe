// “Where do I sit?” is answered at once, and again whenever something changes.

const select = document.getElementById("me");

function answer() {
  const place = select.value && document.querySelector(`#night-places [data-player="${CSS.escape(select.value)}"]`);
  const here = document.getElementById("my-place");
  const html = place ? place.innerHTML : "";
  if (here.innerHTML.trim() !== html.trim()) here.innerHTML = html;
}

if (select) {
  // Goes to the address that says who asks, so that this phone knows it next time.
  select.addEventListener("change", () => select.form.requestSubmit());
  select.form.querySelector("button").hidden = true;
  new MutationObserver(answer).observe(document.getElementById("main"), { childList: true, subtree: true });
}
