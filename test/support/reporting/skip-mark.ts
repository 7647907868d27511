/**
 * How a suite that cannot run here says so in its title; read back by the reporter. Imports
 * nothing.
 */

/** The last part of a skipped suite's title; group 1 is the reason. */
export const SKIP_MARK = /\[skipped: (.+)\]$/;

/** A title with the reason in it. */
export function skippedTitle(title: string, reason: string): string {
  return `${title} [skipped: ${reason}]`;
}
