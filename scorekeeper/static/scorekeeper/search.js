// The key / leads to the search, unless somebody types just then.
import { singleKeys } from "./single_keys.js";

export function listenForSearch() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (event.key !== "/" || !singleKeys() || event.ctrlKey || event.metaKey || event.altKey || typing) return;
    const field = document.querySelector("[role=search] input");
    if (!field?.checkVisibility()) return;
    event.preventDefault();
    field.focus();
  });
}
