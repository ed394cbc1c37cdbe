// Keys without Ctrl or Alt: / for the search, letters and digits on the pad. They can be switched off, because whoever
// speaks to the computer, or trembles, presses them by chance. The setting stays on this device.

const OFF = "single-keys-off"; // key in localStorage

export const singleKeys = () => !localStorage.getItem(OFF);

export function listenForSingleKeys() {
  for (const box of document.querySelectorAll("[data-single-keys]")) {
    box.checked = singleKeys();
    box.addEventListener("change", () => localStorage.setItem(OFF, box.checked ? "" : "1"));
  }
}
