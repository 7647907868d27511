/**
 * The refusal, by every registry, of a user's TXT record that could be read as an ownership marker
 * (docs/safety.md#user-texts).
 */
import type { Blocker } from "../plan/rules.ts";

/**
 * Why such a text is not published. The planner leaves the record set out, so that other records at
 * the name do not wait for it.
 */
export const FORGED: Blocker = {
  code: "LooksLikeMarker",
  message:
    "the text has the form of an ownership marker and is not written: change it, or remove it from its object",
};
