/**
 * The Resolver port over c-ares (node:dns): the name servers of the system, or those of
 * --lookup-servers. The hosts file is not read.
 */
import { Resolver as DnsResolver } from "node:dns/promises";
import { retryable } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues, parseRdata } from "@zonekeeper/dns/rdata/index";
import type { HostAddresses, Resolver } from "../../ports/resolver.ts";
import { systemCodeOf } from "./system-error.ts";

/** Milliseconds for the first try of one server; c-ares doubles it for the next round. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** The name exists without such records, or does not exist (RFC 2308 §2). */
const NONE: ReadonlySet<string> = new Set(["ENODATA", "ENOTFOUND"]);

/** Asks real name servers. */
export class RealResolver implements Resolver {
  readonly #resolver = new DnsResolver({ timeout: TIMEOUT_MS, tries: TRIES });

  /** `servers`: `192.0.2.53:53`, `[2001:db8::53]:53`; empty = those of the system. */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.#resolver.setServers(servers);
  }

  async addressesOf(host: DnsName): Promise<HostAddresses> {
    const [a, aaaa] = await Promise.all([
      answer("A", () => this.#resolver.resolve4(host)),
      answer("AAAA", () => this.#resolver.resolve6(host)),
    ]);
    return { a, aaaa };
  }

  /** The name that a CNAME record at this one has, as text; null = there is none. */
  async aliasOf(name: DnsName): Promise<string | null> {
    const [alias] = await asked("CNAME", () => this.#resolver.resolveCname(name));
    return alias ?? null;
  }

  textsOf(name: DnsName): Promise<readonly string[]> {
    return asked("TXT", async () =>
      (await this.#resolver.resolveTxt(name)).map((strings) => strings.join("")),
    );
  }
}

async function answer(
  type: "A" | "AAAA",
  ask: () => Promise<string[]>,
): Promise<readonly string[]> {
  const parsed = (await asked(type, ask)).map((text) => parseRdata(type, text));
  return canonicalValues(parsed.flatMap((one) => (one.ok ? one.value : [])));
}

/** As the servers have it; empty = there is none. */
async function asked(type: string, ask: () => Promise<string[]>): Promise<readonly string[]> {
  try {
    return await ask();
  } catch (error) {
    const code = systemCodeOf(error);
    if (NONE.has(code)) return [];
    throw retryable(
      "LookupFailed",
      `no answer about its ${type} records (${code === "" ? "unknown" : code})`,
      error,
    );
  }
}
