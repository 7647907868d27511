/** When an object that is being deleted is released although records are left. */

/** `true` = now. */
export const RELEASE_ANNOTATION = "zonekeeper.dev/release";
/** How long one waits that would otherwise hold up the deletion of its namespace (Z-19). */
export const RELEASE_AFTER_MS = 3_600_000;
