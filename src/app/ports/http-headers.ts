/** Header maps of the platform as the port's plain ones. */
import type { IncomingHttpHeaders } from "node:http";
import type { HttpHeaders } from "@zonekeeper/base/ports/http";

/** Lower-case names; several values of one name joined by ", ". */
export function headersOf(headers: IncomingHttpHeaders): HttpHeaders {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return plain;
}
