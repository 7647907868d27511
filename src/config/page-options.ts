/** The page of an instance: rows of the option table, and their values. Pure. */
import { fail, ok } from "@zonekeeper/base/result";
import { isLoopback } from "../model/addresses.ts";
import type { OptionReader, ReadText } from "./option-reader.ts";
import { BOTH, flag, list, RUN, rows } from "./option-row.ts";
import { lookupServer } from "./publish-options.ts";

/** In the order of the help text. */
export const PAGE_OPTIONS = rows(BOTH, {
  "page-origin": list(
    "Origin under which browsers reach the page (zonekeeper open) other than on this host, such as https://dns.example.org. Default: the page is served where its address is a loopback one, and nowhere else.",
  ),
  "api-users": flag(
    "The API and the page take tokens of users of the source cluster, too: who may get dnsentries.dns.gardener.cloud in a namespace sees the names of its objects, who may update them may also approve, undo and pause these names; who may get pods/proxy in the namespace of the program sees all names and orders nothing. Asked by TokenReview and SubjectAccessReview, for which it needs the rights.",
    { commands: RUN },
  ),
  resolvers: list(
    "Resolvers that are asked what users get, where the page shows one name: an IP address, with :port if it is not 53. Default: those of the system; dev, whose zone they do not know, asks none.",
  ),
});

/** Who may open the page, and whom it asks. */
export interface PageConfig {
  /** As browsers send them; empty = loopback only. */
  readonly origins: readonly string[];
  /** Tokens of users of the source cluster are taken, too. */
  readonly takesUsers: boolean;
  /** `192.0.2.53:53`, `[2001:db8::53]:53`; empty = those of the system, in `dev` none. */
  readonly resolvers: readonly string[];
}

/** The page options of one of both. */
export function readPage(reader: OptionReader, command: "run" | "dev"): PageConfig {
  return {
    origins: reader.each("page-origin", origin),
    takesUsers: command === "run" && reader.options.flag("api-users"),
    resolvers: reader.each("resolvers", lookupServer),
  };
}

/** A cookie is sent over it: over plain HTTP on loopback only. */
const origin: ReadText<string> = (text) => {
  const quoted = JSON.stringify(text);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.origin === "null" || `${url.origin}/` !== url.href)
    return fail(`${quoted} is not an origin; write https://dns.example.org, without a path`);
  if (url.protocol === "https:" || isLoopback(url.hostname.replace(/^\[|\]$/g, "")))
    return ok(url.origin);
  return fail(`${quoted} is not https: others on the way could read the session; use https`);
};
