// Maps the name in a form's data-board to the script of that board.
import * as line from "./boards/line.js";
import * as square from "./boards/square.js";
import * as star from "./boards/star.js";
import * as tricks from "./boards/tricks.js";

export const BOARDS = { line, square, star, tricks };

export function listenOnBoards() {
  for (const board of Object.values(BOARDS)) board.listen();
}
