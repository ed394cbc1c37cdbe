// Makes the pages quicker. They also work without scripts, with plain forms and links.

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
import { listenForRefresh } from "./refresh.js";
import { listenForSeats } from "./seats.js";
import { listenForCues } from "./turn_cue.js";
import { listenForUnsent } from "./unsent.js";

document.documentElement.classList.add("quick");
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
listenForRefresh();
startClock();
follow();
sendUnsent();
openOffline();
