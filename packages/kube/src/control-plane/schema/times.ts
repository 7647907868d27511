/**
 * Times of built-in kinds in the form in which Kubernetes writes them: metav1.Time in UTC with
 * whole seconds, MicroTime with six decimals. Clients send others (JavaScript's have milliseconds),
 * and equal times must be equal texts. Pure.
 */

/** RFC 3339; fractions of any length. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

/** The time as it is kept; anything else as it is. */
export function keptTime(text: string, format: string | undefined): string {
  const [, seconds, fraction = "", zone = ""] = TIME.exec(text) ?? [];
  if (seconds === undefined || (format !== "date-time" && format !== "micro-time")) return text;
  const inUtc = zone === "Z" ? seconds : utcOf(`${seconds}${zone}`);
  if (inUtc === null) return text;
  return format === "date-time" ? `${inUtc}Z` : `${inUtc}.${fraction.slice(0, 6).padEnd(6, "0")}Z`;
}

/** Null = no such day or hour. */
function utcOf(text: string): string | null {
  const timeMs = Date.parse(text);
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString().slice(0, 19);
}
