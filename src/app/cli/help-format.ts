/** How help texts are laid out: a narrow first column, and long flags on a line of their own. */
import type { Help, Option } from "commander";

/** Columns of a help text. */
const HELP_WIDTH = 100;
/** Of flags and commands; longer ones get a line of their own. */
const TERM_WIDTH = 26;
const INDENT = 2;
const GAP = 2;

/** For `configureHelp`. */
export const HELP_FORMAT = {
  helpWidth: HELP_WIDTH,
  padWidth: () => TERM_WIDTH,
  /** Environment and default are in the text. */
  optionDescription: ({ description }: Option) => description,
  formatItem(...[term, width, description, helper]: readonly [string, number, string, Help]) {
    const first = `${" ".repeat(INDENT)}${term}`;
    if (description === "") return first;
    const start = INDENT + width + GAP;
    const lines = helper.boxWrap(description, HELP_WIDTH - start).split("\n");
    const rest = lines.map((line) => `${" ".repeat(start)}${line}`);
    if (term.length > width) return [first, ...rest].join("\n");
    return [first.padEnd(start) + (lines[0] ?? ""), ...rest.slice(1)].join("\n");
  },
};
