/** A JSON log line as one short line for people. Pure; a line that is not JSON passes unchanged. */

/** `07:15:02 warn  zone load failed  zone=example.org retryMs=2000`. */
export function formatForPeople(line: string, color = false): string {
  const entry = parse(line);
  if (entry === null) return line.trimEnd();
  const { time, level, msg, ...fields } = entry;
  const clock = typeof time === "string" ? time.slice(11, 19) : "";
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`);
  return [clock, levelText(String(level), color), `${String(msg)} `, ...pairs].join(" ").trimEnd();
}

const COLORS: Readonly<Record<string, number>> = { debug: 90, warn: 33, error: 31 };

function levelText(level: string, color: boolean): string {
  const text = level.padEnd(5);
  const code = color ? COLORS[level] : undefined;
  return code === undefined ? text : `\u001b[${code}m${text}\u001b[0m`;
}

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? { ...entry } : null;
  } catch {
    return null;
  }
}

function valueText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (/^[^\s"'=]+$/.test(value)) return value;
  // Texts of records come with quotes of their own.
  return value.includes('"') && /^[ -&(-~]+$/.test(value) ? `'${value}'` : JSON.stringify(value);
}
