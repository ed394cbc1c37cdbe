// The form "Compare with" shows whom a name may mean while somebody types it.
import { draw } from "./refresh.js";

const form = document.getElementById("compare");
let wanted = ""; // the address requested last
let asking = false;

/** Never twice at the same time: what was typed meanwhile is asked afterwards. */
form.addEventListener("input", async () => {
  wanted = `${form.action}?${new URLSearchParams(new FormData(form))}`;
  if (asking) return;
  asking = true;
  try {
    for (let shown = ""; shown !== wanted; ) {
      shown = wanted;
      await draw("#fitting", shown);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: the button says so
  } finally {
    asking = false;
  }
});
