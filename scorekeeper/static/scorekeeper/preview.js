// What a form would count, shown before it is entered.
import { post } from "./queue.js";
import { showRefusal } from "./refusal.js";
import { swap } from "./swap.js";

/**
 * Shows in the form what it would count, sent by `button` if there is one; enters nothing. With part "sheet" a refusal
 * comes with the ways to continue. Gives whether the server answered.
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
