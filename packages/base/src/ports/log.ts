/** Structured logs: a constant message and key-value pairs. No secret may be passed. */

/** Values next to a message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A logger; children carry fixed fields. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  child(fields: LogFields): Log;
}
