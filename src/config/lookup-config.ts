/** Reads the option of look-ups of host names. Pure. */
import { isIpAddress, parseHostPort } from "../model/host-port.ts";
import type { Problem } from "../model/problem.ts";
import type { ResolvedOptions } from "./resolve-options.ts";

const NAME = "lookup-servers";
const DNS_PORT = 53;

/** The servers as `192.0.2.53:53` or `[2001:db8::53]:53`; empty = those of the system. */
export function readLookupServers(options: ResolvedOptions): readonly string[] {
  return options.list(NAME).flatMap((text) => {
    const server = parseHostPort(text, DNS_PORT);
    if (server === null) return [];
    const host = server.host.includes(":") ? `[${server.host}]` : server.host;
    return [`${host}:${server.port}`];
  });
}

/** What is wrong with them. */
export function lookupProblems(options: ResolvedOptions): readonly Problem[] {
  return options.list(NAME).flatMap((text) => {
    const server = parseHostPort(text, DNS_PORT);
    if (server !== null && isIpAddress(server.host)) return [];
    const message = `${JSON.stringify(text)} is not the address of a server; write 192.0.2.53 or 192.0.2.53:53`;
    return [{ code: "InvalidOption", subject: `--${NAME}`, message }];
  });
}
