// A captain's line-up: each choice is checked at once, without submitting it.
const form = document.querySelector("[data-line-up]");

let asking = false;
let again = false;

form.addEventListener("change", check);

/** Shows what is wrong at each board where everything is chosen. The last choice wins. */
async function check() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  const body = new URLSearchParams(new FormData(form));
  body.set("do", "check");
  try {
    const answer = await fetch(location.pathname, { method: "POST", body });
    show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: submitting it checks again
  } finally {
    asking = false;
  }
  if (again) {
    again = false;
    check();
  }
}

function show(page) {
  for (const faults of form.querySelectorAll("[data-faults]")) {
    const fresh = page.getElementById(faults.id);
    const fields = [...faults.closest("fieldset").querySelectorAll("select")];
    const begun = fields.some((field) => field.value);
    if (!fresh) continue;
    faults.replaceChildren(...(begun ? document.importNode(fresh, true).childNodes : []));
    for (const field of fields) field.toggleAttribute("aria-invalid", false);
    if (begun && fresh.childElementCount) for (const field of fields) field.setAttribute("aria-invalid", "true");
  }
}
