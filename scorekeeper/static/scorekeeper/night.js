// The night's page: where do I sit, what is read out, what is shared.

const changed = (look) =>
  new MutationObserver(look).observe(document.getElementById("main"), { childList: true, subtree: true });

// A match that ends is read out, not every move.
const said = () => document.getElementById("night-results")?.dataset.say;
// The end changes what the page is for.
const over = () => "over" in document.getElementById("night").dataset;
const wasOver = over();
let told = said();
changed(() => {
  if (over() !== wasOver) location.reload();
  if (told !== said()) document.getElementById("announce").textContent = said() ?? "";
  told = said();
});

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
  changed(answer);
}

// Results for a chat: by the phone's own sharing; where a page may not, as on plain http, copied, and shown to be copied.
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
  const said = box.querySelector("[role=status]");
  box.hidden = false;
  area.value = text;
  area.select();
  // The only way to the clipboard on plain http.
  said.textContent = document.execCommand("copy") ? said.dataset.copied : said.dataset.copy;
}
