/**
 * Expected trouble with one item, as a value that travels beside the good items (docs/style.md rule
 * 10).
 */

/**
 * Trouble with one object, name or option. Becomes a condition, an Event or a line on the terminal.
 */
export interface Problem {
  /** From the table in `docs/reference/errors.md`, e.g. `InvalidDnsName`. */
  readonly code: string;
  /** What it is about: `service/default/web`, `www.example.org A`, `--owner`. */
  readonly subject: string;
  /** What is wrong, and what to do about it. Carries no secret, id or time that changes. */
  readonly message: string;
  /** Field path in the object, e.g. `spec.ttl`. Absent = the object as a whole. */
  readonly field?: string;
}
