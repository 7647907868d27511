/**
 * Asks recursive resolvers for a name: what users get now, and for how long caches keep it. Over
 * UDP as users do, and over TCP where UDP gives no whole answer (RFC 7766 §5). For `explain` and
 * the page; nothing is decided by it.
 */
import { getServers } from "node:dns";
import { messageOf } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { queryMessage } from "@zonekeeper/dns/wire/message/compose";
import type { Message } from "@zonekeeper/dns/wire/message/message";
import { parseHostPort } from "../../../model/addresses.ts";
import { type AskPorts, asking, question } from "./ask-servers.ts";
import { askUdp } from "./ask-udp.ts";

/** The answer of one resolver. */
export interface ResolverAnswer {
  /** `192.0.2.53:53`. */
  readonly server: string;
  /** In the order of the answer: a CNAME comes before its target. */
  readonly answers: readonly ResolvedRecord[];
  /** RCODE of the last answer; empty = there was none. */
  readonly rcode: string;
  /** Why it could not be asked; null = it could. */
  readonly trouble: string | null;
}

/** A record of an answer. */
export interface ResolvedRecord {
  readonly name: string;
  readonly type: string;
  /** The rest of the TTL, where the answer comes from a cache. */
  readonly ttlSeconds: number;
  readonly data: string;
}

/** Resolvers that are asked. */
const RESOLVERS_MAX = 4;
const DNS_PORT = 53;

/**
 * Asks all resolvers at once; answers in their order. `servers` as in `--resolvers`; empty = those
 * of the system.
 */
export function askResolvers(
  ports: AskPorts & { readonly servers: readonly string[] },
  name: DnsName,
  types: readonly string[],
): Promise<readonly ResolverAnswer[]> {
  const servers = ports.servers.length > 0 ? ports.servers : getServers();
  const asked = servers.slice(0, RESOLVERS_MAX);
  return Promise.all(asked.map((server) => askResolver(ports, server, { name, types })));
}

async function askResolver(
  ports: AskPorts,
  server: string,
  { name, types }: { readonly name: DnsName; readonly types: readonly string[] },
): Promise<ResolverAnswer> {
  const at = parseHostPort(server, DNS_PORT);
  const answers: ResolvedRecord[] = [];
  const nothing = { server, answers, rcode: "" };
  if (at === null) return { ...nothing, trouble: "no address" };
  try {
    return await asking(ports, at, async (client, signal) => {
      let rcode = "";
      let isUdp = true;
      for (const type of types) {
        const query = { ...queryMessage(0, { name, type }), recursionDesired: true };
        const short: Message | null = isUdp
          ? await askUdp(ports, at, query).catch(() => null)
          : null;
        // A resolver that did not answer over UDP once is asked over TCP from then on.
        isUdp = short !== null;
        const answer = short ?? (await question(client, { name, type }, signal, true));
        if (typeof answer === "string") return { server, answers, rcode, trouble: answer };
        rcode = answer.rcode;
        for (const { name: owner, type: its, ttlSeconds, data } of answer.answer)
          answers.push({ name: owner, type: its, ttlSeconds, data: data ?? "" });
      }
      return { server, answers, rcode, trouble: null };
    });
  } catch (error) {
    return { ...nothing, trouble: messageOf(error) };
  }
}
