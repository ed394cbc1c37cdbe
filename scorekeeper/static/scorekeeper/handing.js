// The pad back by one tap. What is typed on a phone that had it stays, and goes on from where it was.
import { connect, followed } from "./live.js";
import { swap } from "./swap.js";

export function listenForHandingOver() {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-take]");
    if (!form) return;
    event.preventDefault();
    take(form, new URLSearchParams(new FormData(form, event.submitter)));
  });
}

async function take(form, body) {
  const headers = { "X-CSRFToken": document.body.dataset.csrf };
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers, redirect: "manual" });
    if (answer.status >= 400) return void swap(await answer.text());
    if (followed().dataset.part !== "pad") return location.reload();
    swap('<div id="refusal"></div>');
    connect();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: the button is still there
  }
}
