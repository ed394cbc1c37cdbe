// Previews the score of a form before it is entered.
import { post } from "./queue.js";
import { showRefusal } from "./refusal.js";
import { swap } from "./swap.js";

/**
 * Shows in the form what it would score, as if sent with `button` (optional), without entering it. With part "sheet", a
 * refusal also offers ways to continue. Returns whether the server answered.
 */
export async function preview(form, part = "preview", button = undefined) {
  const body = new URLSearchParams(new FormData(form, button));
  body.set("preview", "1");
  const answer = await post(form.action, body, part);
  if (!answer || answer.status >= 502) return false; // no network: the button is still there
  if (!form.isConnected) return true;
  swap(await answer.text());
  if (part === "sheet") showRefusal();
  return true;
}
