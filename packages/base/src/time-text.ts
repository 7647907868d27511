/** Times as people and Kubernetes read them. */

/** RFC 3339 in UTC with the precision of seconds, as metav1.Time. */
export function timeText(unixMs: number): string {
  return new Date(unixMs).toISOString().replace(/\.\d+Z$/, "Z");
}
