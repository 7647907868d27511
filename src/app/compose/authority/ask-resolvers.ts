/**
 * Asks recursive resolvers for a name: what users get now, and for how long caches keep it. Over
 * UDP as users do, and over TCP where UDP gives no whole answer (RFC 7766 §5). For `explain` and
 * the page; nothing is decided by it.
 */
import { getServers } from "node:dns";
import { isIPv6 } from "node:net";
import { messageOf } from "@zonekeeper/base/operation-error";
import { type Clock, sleep, type Timer } from "@zonekeeper/base/ports/clock";
import type { Datagram } from "@zonekeeper/base/ports/net";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { queryMessage } from "@zonekeeper/dns/wire/message/compose";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { tryEncodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message } from "@zonekeeper/dns/wire/message/message";
import { type HostPort, parseHostPort } from "../../../model/addresses.ts";
import { isSameJson } from "../../../model/same-json.ts";
import type { Resolver } from "../../../ports/resolver.ts";
import { type AskPorts, asking, question } from "./ask-servers.ts";

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

const PATIENCE_MS = 4_000;

/** Null = that is not certain, or there was no answer in time. Never rejects. */
export function hasAddress(
  { resolver, clock }: { readonly resolver: Resolver; readonly clock: Clock },
  name: DnsName,
): Promise<boolean | null> {
  const asked = resolver.addressesOf(name).then(
    ({ a, aaaa }) => a.length + aaaa.length > 0,
    () => null,
  );
  return Promise.race([asked, sleep(clock, PATIENCE_MS).then(() => null)]);
}

/** Milliseconds for an answer, and how often the question is sent. */
const TRY_MS = 700;
const TRIES = 2;

/**
 * The whole answer over UDP (RFC 1035 §4.2.1), from a random port and with a random id, so that
 * forged answers are ignored; null = none came, or it was too long for a datagram, so that TCP is
 * to be asked (RFC 7766 §5). Rejects with OperationError where no socket can be had.
 */
export async function askUdp(
  { net, clock, random }: AskPorts,
  at: HostPort,
  asked: Message,
): Promise<Message | null> {
  const [high = 0, low = 0] = random.bytes(2);
  const query = { ...asked, id: (high << 8) | low };
  const encoded = tryEncodeMessage(query);
  if (!encoded.ok) return null;
  let found: (message: Message | null) => void = () => undefined;
  const answer = new Promise<Message | null>((resolve) => {
    found = resolve;
  });
  const onDatagram = ({ from, bytes }: Datagram): void => {
    if (from.port !== at.port || plain(from.host) !== plain(at.host)) return;
    const read = decodeMessage(bytes);
    if (!read.ok || read.value.id !== query.id || !read.value.response) return;
    if (isSameJson(read.value.question, query.question))
      found(read.value.truncated ? null : read.value);
  };
  const any = { host: isIPv6(at.host) ? "::" : "0.0.0.0", port: 0 };
  const socket = await net.bindUdp(any, onDatagram);
  const timers: Timer[] = [];
  const send = (): void => {
    if (timers.length === TRIES) {
      found(null);
      return;
    }
    timers.push(clock.setTimer(TRY_MS, send));
    socket.send(at, encoded.value).catch(() => found(null));
  };
  send();
  try {
    return await answer;
  } finally {
    for (const timer of timers) timer.cancel();
    await socket.close();
  }
}

/** An IPv6 address may be written in several ways. */
function plain(host: string): string {
  const url = `http://[${host}]`;
  return isIPv6(host) && URL.canParse(url) ? new URL(url).hostname : host;
}
