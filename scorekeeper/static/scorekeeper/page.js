// What makes the pages quicker. Without it every page still works: forms post, links lead.
import { listenForEntries, sendUnsent } from "./entry.js";
import { listenForCues } from "./cue.js";
import { startClock } from "./ending.js";
import { listenForHandingOver } from "./handing.js";
import { follow } from "./live.js";
import { listenOnThePad } from "./pad.js";
import { listenElsewhere } from "./elsewhere.js";
import { tellLocalTime } from "./swap.js";

document.documentElement.classList.add("quick");
tellLocalTime(document);
listenForEntries();
listenOnThePad();
listenElsewhere();
listenForHandingOver();
listenForCues();
startClock();
follow();
sendUnsent();
