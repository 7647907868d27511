/**
 * What is said, under every registry, of a user's text that could be read as a marker (DESIGN §6).
 */
import type { Blocker } from "../plan/rules.ts";

/**
 * Nobody may have it. The planner leaves such a wish out, so that nobody else's record at the name
 * waits for it.
 */
export const FORGED: Blocker = {
  code: "LooksLikeMarker",
  message: "the text has the form of an ownership marker",
};
