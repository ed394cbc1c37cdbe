// Forms on every page: sends each form once, and gives forms from live updates the reader's token.

export function listenForForms() {
  document.addEventListener("submit", ({ target }) => addToken(target));
  document.addEventListener("submit", (event) => {
    // Ignore a second tap on a button that creates something.
    if (!event.target.matches("[data-once]")) return;
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "1";
  });
  addEventListener("pageshow", ({ persisted }) => {
    // Reload a page from the browser's history: a match may have started since.
    if (persisted && location.search && document.querySelector(".narrow > [data-once]")) location.reload();
  });
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("[data-once]")) delete form.dataset.sent;
  });
}

/** The server draws a live update once for all readers, so it contains nobody's token. */
function addToken(form) {
  if (form.method !== "post" || form.elements.csrfmiddlewaretoken) return;
  const token = Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken" });
  token.value = document.body.dataset.csrf;
  form.append(token);
}
