// Forms of every page: each is sent once, and a form that came by a live update gets the reader's token.

export function listenForForms() {
  document.addEventListener("submit", ({ target }) => addToken(target));
  document.addEventListener("submit", (event) => {
    // A second tap on a button that makes something does nothing.
    if (!event.target.matches("[data-once]")) return;
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "1";
  });
  addEventListener("pageshow", ({ persisted }) => {
    // Reload a page from the browser's history: a match may have begun meanwhile.
    if (persisted && location.search && document.querySelector(".narrow > [data-once]")) location.reload();
  });
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("[data-once]")) delete form.dataset.sent;
  });
}

/** A live update is drawn once for all readers, without anybody's token. */
function addToken(form) {
  if (form.method !== "post" || form.elements.csrfmiddlewaretoken) return;
  const token = Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken" });
  token.value = document.body.dataset.csrf;
  form.append(token);
}
