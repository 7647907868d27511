/** The program's version; a test compares it with package.json. */

/** Semantic version without a leading `v`. */
export const VERSION = "0.1.0";
