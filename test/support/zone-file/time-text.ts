/**
 * TTLs and other times in zone files: seconds, or BIND's units as in `1h30m` (BIND 9 ARM, "Zone
 * File", "$TTL").
 */

const UNITS: ReadonlyMap<string, number> = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3600],
  ["d", 86_400],
  ["w", 604_800],
]);

/** RFC 2181 §8. */
export const TTL_SECONDS_MAX = 2_147_483_647;

/** True for what begins like a time; types, classes and most names do not. */
export function isTimeText(text: string): boolean {
  return /^\d+$|^(?:\d+[smhdw])+$/i.test(text);
}

/** Seconds from 0 to `max`; null = no time, or too long. */
export function parseSeconds(text: string, max: number): number | null {
  if (!isTimeText(text) || text.length > 60) return null;
  if (/^\d+$/.test(text)) return Number(text) <= max ? Number(text) : null;
  let seconds = 0;
  for (const [, count = "", unit = ""] of text.matchAll(/(\d+)([a-z])/gi))
    seconds += Number(count) * (UNITS.get(unit.toLowerCase()) ?? 0);
  return seconds <= max ? seconds : null;
}
