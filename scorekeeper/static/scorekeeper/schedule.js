// The director's schedule: two taps or a drag swap two entrants of a round, and the page stays where it is.
import { listenForDrags } from "./drag.js";
import { freshKey } from "./queue.js";

const boxes = () => [...document.querySelectorAll("[data-exchange] [name=who]")];

document.addEventListener("change", ({ target }) => target.closest("[data-exchange]") && swap());
listenForDrags("[data-exchange]", swap);

/** Sends the two ticked names, and shows the page that answers. */
async function swap() {
  const form = document.querySelector("[data-exchange]");
  if (form.dataset.sent || boxes().filter((box) => box.checked).length !== 2) return;
  form.dataset.sent = "1";
  const body = new URLSearchParams(new FormData(form, form.querySelector("[name=do]")));
  body.set("key", freshKey());
  try {
    const headers = { "X-CSRFToken": document.body.dataset.csrf };
    show(await (await fetch(form.action, { method: "POST", body, headers })).text());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    location.reload(); // no network: the browser says so, and the page is still true
  }
}

function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = page.querySelector("main");
  if (!page.querySelector("[data-exchange]")) return location.reload();
  document.querySelector("main").replaceChildren(...document.importNode(fresh, true).childNodes);
  const said = document.getElementById("refusal") ?? document.getElementById("effect");
  if (!said) return;
  said.scrollIntoView({ block: "nearest" });
  document.getElementById("announce").textContent = said.textContent.replace(/\s+/g, " ");
}
