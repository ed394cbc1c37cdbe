// A link that shares its address, or the text at its address, with the phone's share menu. On plain http, which has
// none, copies that and shows it.
document.querySelector("[data-share]")?.addEventListener("click", async (event) => {
  event.preventDefault();
  const { href, dataset } = event.currentTarget;
  const what = dataset.share === "address" ? { url: href } : { text: await (await fetch(href)).text() };
  if (!navigator.share) return copy(what.url ?? what.text);
  try {
    await navigator.share(what);
  } catch (error) {
    if (error.name !== "AbortError") copy(what.url ?? what.text);
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
