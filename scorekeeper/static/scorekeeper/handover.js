// Takes the pad back with one tap. What was typed on the phone stays, so the player can continue.
import { connect, followed } from "./live.js";
import { reload, swap } from "./swap.js";

export function listenForHandingOver() {
  document.addEventListener("news", offerNames);
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-take]");
    if (!form) return;
    event.preventDefault();
    take(form, new URLSearchParams(new FormData(form, event.submitter)));
  });
}

/** Offers the names of the players now at the table as the phone's owner. */
function offerNames() {
  const names = [...document.querySelectorAll("[data-live] .seats .name")].map((name) => name.textContent);
  for (const row of document.querySelectorAll(".holder .row")) {
    const held = row.querySelector("[aria-pressed]")?.value;
    if (!names.length || `${names}` === `${[...row.children].map((button) => button.value)}`) continue;
    row.replaceChildren(...names.map((name) => button(name, name === held)));
  }
}

function button(name, held) {
  const made = document.createElement("button");
  Object.assign(made, { name: "name", value: name, textContent: name });
  if (held) made.setAttribute("aria-pressed", "true");
  return made;
}

async function take(form, body) {
  const back = body.get("back"); // the page to return to, with what was typed there
  const headers = { "X-CSRFToken": document.body.dataset.csrf };
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers, redirect: "manual" });
    if (answer.status >= 400) return void swap(await answer.text());
    if (back) return location.assign(back);
    if (followed().dataset.part !== "pad") return reload();
    swap('<div id="refusal"></div>');
    connect();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: the button is still there
  }
}
