// The page of an encounter follows its boards.
import { listenForRefresh } from "./refresh.js";

listenForRefresh();
