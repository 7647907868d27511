/**
 * The Log port over pino: JSON lines, or short lines for people, on stderr (stdout belongs to
 * answers and to the ready line). Fields whose names say that they hold secrets are masked,
 * whatever the caller thought.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import type { Log } from "@zonekeeper/base/ports/log";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import { type DestinationStream, destination, type Logger, pino } from "pino";
import { printable } from "../../model/printable.ts";
import { terminalOf } from "./terminal.ts";

/** Least level that is written. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** How the log is written. */
export interface LogOptions {
  readonly level: LogLevel;
  /** `auto` = text on a terminal, else JSON. */
  readonly format: "json" | "text" | "auto";
  /** In place of stderr; gets whole lines. */
  readonly sink?: { write(line: string): void };
  /** Commands in fields, as readers of the log type them. Absent = as they are. */
  readonly asTyped?: (text: string) => string;
}

/** Names of fields that never carry their value into the log, at the top and one level down. */
const SECRET_FIELDS = [
  ...["authorization", "password", "secret", "token", "bearer", "privateKey"],
  ...["clientKeyData", "data", "stringData"],
];

/** The root logger. */
export function makeLog(options: LogOptions): Log {
  const { asTyped } = options;
  const sink = options.sink ?? destination({ fd: 2, sync: true });
  const text = options.format === "text" || (options.format === "auto" && process.stderr.isTTY);
  const { color } = terminalOf(process.stderr, process.env);
  const shown = (line: string): string =>
    // In JSON text the escapes mean the very characters.
    text ? formatForPeople(line, color) : printable(line.trimEnd());
  const stream: DestinationStream = { write: (line) => sink.write(`${shown(line)}\n`) };
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        ...(asTyped === undefined ? {} : { log: (fields) => withTexts(fields, asTyped) }),
      },
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: "(hidden)" },
    },
    stream,
  );
  return logOver(logger);
}

function withTexts(
  fields: Readonly<Record<string, unknown>>,
  asTyped: (text: string) => string,
): Record<string, unknown> {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? asTyped(value) : value]),
  );
}

function logOver(logger: Logger): Log {
  const at =
    (level: LogLevel): Log["info"] =>
    (message, fields = {}) =>
      logger[level](fields, message);
  return {
    ...{ debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") },
    child: (fields) => logOver(logger.child(fields)),
  };
}

/** Printable: `07:15:02 warn  zone load failed  zone=example.org retryMs=2000`. */
export function formatForPeople(line: string, color = false): string {
  const entry = jsonIn(line);
  if (!isFields(entry)) return printable(line.trimEnd());
  const { time, level, msg, ...fields } = entry;
  const clock = typeof time === "string" ? time.slice(11, 19) : "";
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`);
  const text = printable([`${String(msg)} `, ...pairs].join(" ")).trimEnd();
  const padded = String(level).padEnd(5);
  const code = color ? COLORS[String(level)] : undefined;
  const shown = code === undefined ? padded : `\u001b[${code}m${padded}\u001b[0m`;
  return `${clock} ${shown} ${text}`;
}

const COLORS: Readonly<Record<string, number>> = { debug: 90, warn: 33, error: 31 };

function valueText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (/^[^\s"'=]+$/.test(value)) return value;
  // Texts of records come with quotes of their own.
  return value.includes('"') && /^[ -&(-~]+$/.test(value) ? `'${value}'` : JSON.stringify(value);
}
