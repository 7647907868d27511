/** How long ago something was, in the largest unit that fits. Pure. */
const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** `now`, `5 s ago`, `2 d ago`; a second at the least. */
export function ageText(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms >= each) ?? ["s", 1_000];
  return ms < 1_000 ? "now" : `${Math.floor(ms / size)} ${unit} ago`;
}
