// The kinds of puzzle that can be played: a new one is a file beside this one and a line here.

import { nurikabe } from "./nurikabe.mjs";
import { sudoku } from "./sudoku.mjs";
import { variant } from "./variants.mjs";

export const KINDS = { sudoku, nurikabe, variant };
