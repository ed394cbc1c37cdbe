// What makes the pages quicker. Without it every page still works: forms post, links lead.

import { keepWhatIsDrawn } from "./ahead.js";
import { listenOnBoards } from "./boards.js";
import { listenForCalls } from "./calls.js";
import { listenOnCardFields } from "./card_fields.js";
import { listenForVoices } from "./confirming.js";
import { listenForEntries, sendUnsent } from "./entry.js";
import { listenForForms } from "./forms.js";
import { listenForHandingOver } from "./handover.js";
import { openOffline } from "./https_only.js";
import { follow } from "./live.js";
import { startClock } from "./match_clock.js";
import { listenOnNewMatch } from "./new_match.js";
import { listenOnThePad } from "./pad.js";
import { listenForSeats } from "./seats.js";
import { tellLocalTime } from "./swap.js";
import { listenForCues } from "./turn_cue.js";
import { listenForUnsent } from "./unsent.js";

document.documentElement.classList.add("quick");
tellLocalTime(document);
keepWhatIsDrawn();
listenForUnsent();
listenForEntries();
listenOnThePad();
listenOnBoards();
listenOnCardFields();
listenForForms();
listenOnNewMatch();
listenForHandingOver();
listenForCues();
listenForCalls();
listenForSeats();
listenForVoices();
startClock();
follow();
sendUnsent();
openOffline();
