// What makes the pages quicker. Without it every page still works: forms post, links lead.
import { listenForEntries, sendUnsent } from "./entry.js";
import { follow } from "./live.js";
import { listenOnThePad } from "./pad.js";
import { listenElsewhere } from "./elsewhere.js";
import { tellLocalTime } from "./swap.js";

document.documentElement.classList.add("quick");
tellLocalTime(document);
listenForEntries();
listenOnThePad();
listenElsewhere();
follow();
sendUnsent();
