/**
 * Asks the authoritative servers of a zone for a name: the provider's own server (`endpoint`) and
 * those of the NS records at the apex, each over TCP without recursion (RFC 1035 §4.2.2, RFC 7766).
 * Says where an answer differs from the zone as it was read. For `explain`; nothing is decided by
 * it.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { Net } from "@zonekeeper/base/ports/net";
import type { Random } from "@zonekeeper/base/ports/random";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { serialOf } from "@zonekeeper/dns/rdata/soa";
import { queryMessage } from "@zonekeeper/dns/wire/message/compose";
import type { Message } from "@zonekeeper/dns/wire/message/message";
import { guardedNet } from "../../../controllers/accounts/guarded-environment.ts";
import { type HostPort, parseHostPort } from "../../../model/addresses.ts";
import type { RecordSet } from "../../../model/record-set.ts";
import { toRecordSets } from "../../../providers/rfc2136/convert.ts";
import { DnsClient } from "../../../providers/rfc2136/dns-client.ts";
import { DnsTransport } from "../../../providers/rfc2136/transport.ts";
import type { NameExplanation } from "../../../sync/contract/name-explanation.ts";

/** The answer of one server. */
export interface ServerAnswer {
  /** `192.0.2.53:53`, or the name of a server of the zone with it. */
  readonly server: string;
  /** Serial of the zone's SOA at this server; null = it gave none. */
  readonly serial: number | null;
  /** `A 300 192.0.2.1`, `A: NXDOMAIN`, one or more for each type asked. */
  readonly answers: readonly string[];
  /** Why it could not be asked to the end; null = it could. */
  readonly trouble: string | null;
  /** How its answers differ from the zone as it was read; absent = they do not. */
  readonly differs?: string;
}

/** Everything that questions are sent with. */
export interface AskPorts {
  readonly net: Net;
  readonly clock: Clock;
  readonly random: Random;
  readonly crypto: Crypto;
}

/** Servers that are asked, and types. */
const SERVERS_MAX = 8;
const TYPES_MAX = 6;
/** Milliseconds for all questions to one server; a connection may take a little longer. */
const PATIENCE_MS = 4_000;
const DNS_PORT = 53;

/**
 * Asks all servers at once; answers in the order of the explanation. Where the zone's account is of
 * a namespace that is not trusted, no internal address is asked (Z-29). Never rejects.
 */
export async function askServers(
  ports: AskPorts,
  explanation: NameExplanation,
): Promise<readonly ServerAnswer[]> {
  const targets = targetsOf(explanation).slice(0, SERVERS_MAX);
  const { isTrusted } = explanation;
  const safe = isTrusted ? ports : { ...ports, net: guardedNet(ports.net) };
  return Promise.all(
    targets.map(async (target) => {
      const answer = await askServer(safe, target, explanation);
      // Why a server does not answer is hidden: its address may come from a tenant, who must not
      // explore the network by it (Z-29).
      return isTrusted || answer.trouble === null ? answer : { ...answer, trouble: "no answer" };
    }),
  );
}

/**
 * True = nothing is known of the present answers: the provider's own server and all others could
 * not be asked. False where the provider names no server: then its API says what the zone has.
 */
export function isUnanswered(
  { endpoint }: Pick<NameExplanation, "endpoint">,
  answers: readonly ServerAnswer[],
): boolean {
  const isNamed = answers.some(({ server }) => server === endpoint);
  return isNamed && answers.every(({ trouble }) => trouble !== null);
}

/** A server to ask. */
export interface Target {
  readonly label: string;
  readonly at: HostPort;
}

/** The provider's server first. A name server at the same address is the same server. */
export function targetsOf(
  explanation: Pick<NameExplanation, "endpoint" | "servers">,
): readonly Target[] {
  const { endpoint, servers } = explanation;
  const own = parseHostPort(endpoint, DNS_PORT);
  const first = own === null ? [] : [{ label: endpoint, at: own }];
  const others = servers.flatMap(({ name, addresses }): readonly Target[] => {
    if (own !== null && addresses.includes(own.host)) return [];
    // A name outside the zone is looked up by the platform when it is connected to.
    const hosts = addresses.length > 0 ? addresses : [name];
    return hosts.map((host) => ({
      label: host === name ? name : `${name} (${host})`,
      at: { host, port: DNS_PORT },
    }));
  });
  return [...first, ...others];
}

async function askServer(
  ports: AskPorts,
  { label, at }: Target,
  explanation: NameExplanation,
): Promise<ServerAnswer> {
  try {
    const answer = await asking(ports, at, (client, signal) => ask(client, explanation, signal));
    return { server: label, ...answer };
  } catch (error) {
    return { server: label, serial: null, answers: [], trouble: messageOf(error) };
  }
}

/** A client for one server, closed afterwards. Rejects with what `act` throws. */
export async function asking<T>(
  ports: AskPorts,
  server: HostPort,
  act: (client: DnsClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const timer = ports.clock.setTimer(PATIENCE_MS, () => stop.abort());
  const connection = { net: ports.net, clock: ports.clock, server, tls: null };
  // A dry run: questions pass, and nothing else could.
  const transport = new DnsTransport({ ...connection, dryRun: true, writeGate: undefined });
  const client = new DnsClient({ transport, ...ports, key: null });
  try {
    return await act(client, stop.signal);
  } finally {
    timer.cancel();
    transport.close();
  }
}

async function ask(
  client: DnsClient,
  explanation: NameExplanation,
  signal: AbortSignal,
): Promise<Omit<ServerAnswer, "server">> {
  const apex = trustedDnsName(explanation.apex);
  const soa = await question(client, { name: apex, type: "SOA" }, signal);
  if (typeof soa === "string") return { serial: null, answers: [], trouble: soa };
  const answers: string[] = [];
  const differing: string[] = [];
  for (const type of typesOf(explanation)) {
    const answer = await question(client, { name: explanation.name, type }, signal);
    if (typeof answer === "string") return { serial: serialIn(soa), answers, trouble: answer };
    answers.push(...linesOf(answer, explanation.name, type));
    const set = comparable(explanation, type);
    const trouble = set === undefined ? null : troubleWith(answer, set);
    if (trouble !== null) differing.push(trouble);
  }
  const differs = differing.length === 0 ? {} : { differs: differing.join("; ") };
  return { serial: serialIn(soa), answers, trouble: null, ...differs };
}

/** The answer, or a text why there is none. */
export async function question(
  client: DnsClient,
  asked: { readonly name: DnsName; readonly type: string },
  signal: AbortSignal,
  recursionDesired = false,
): Promise<Message | string> {
  const query = { ...queryMessage(client.nextId(), asked), recursionDesired };
  const answer = await client.ask(query, signal);
  if (answer.status === "answer") return answer.message;
  if (signal.aborted) return `no answer within ${PATIENCE_MS / 1_000} s`;
  if (answer.status === "lost") return answer.trouble.message;
  return answer.status === "unverified"
    ? "the answer has no valid signature and is not used; check the key of the DNSProvider"
    : answer.reason;
}

/** Record types that objects want or that exist at the name; A and AAAA where there are none. */
export function typesOf({ claims, standing, marks = [] }: NameExplanation): readonly string[] {
  const wanted = claims.flatMap(({ set }) => (set === null ? [] : [set.type]));
  const there = [...standing, ...marks.map(({ set }) => set)];
  const types = new Set([...wanted, ...there.map(({ type }) => type)]);
  return types.size === 0 ? ["A", "AAAA"] : [...types].sort().slice(0, TYPES_MAX);
}

/**
 * The record set of the type that an answer must equal; undefined = the zone gives no fixed answer:
 * there is none, several, an alias of the provider, or a delegation.
 */
function comparable(explanation: NameExplanation, type: string): RecordSet | undefined {
  const { name, current, synthesized, isDelegated } = explanation;
  const wildcard = synthesized?.is === "wildcard" ? synthesized.sets : [];
  const sets = [...current, ...wildcard].filter((set) => set.type === type);
  const [set] = sets;
  if (set === undefined || sets.length > 1 || set.setIdentifier !== null) return undefined;
  return isDelegated === true || type === "ALIAS" ? undefined : { ...set, name };
}

/** How an authoritative answer differs from this record set; null = it does not. */
export function troubleWith(
  { rcode, answer, authoritative }: Message,
  set: RecordSet,
): string | null {
  if (rcode !== "NOERROR") return `${set.type}: ${rcode}`;
  if (!authoritative) return `${set.type}: it does not answer for the zone`;
  const found = toRecordSets(set.name, answer).find(({ type }) => type === set.type);
  const [now, wanted] = [found?.values ?? [], set.values].map(canonicalValues);
  if (now?.join("\n") === wanted?.join("\n")) return null;
  return found === undefined ? `${set.type}: no data` : `${set.type}: ${found.values.join(" ")}`;
}

function serialIn({ answer }: Message): number | null {
  const soa = answer.find(({ type }) => type === "SOA");
  return soa === undefined ? null : serialOf(soa);
}

function linesOf(message: Message, name: DnsName, type: string): readonly string[] {
  const { rcode, answer, authority, authoritative } = message;
  const from = authoritative ? "" : ", not authoritative";
  if (answer.length > 0)
    return answer.map((one) => {
      const owner = one.name === name ? "" : `${one.name} `;
      return `${owner}${one.type} ${one.ttlSeconds} ${one.data ?? ""}${from}`;
    });
  if (rcode !== "NOERROR") return [`${type}: ${rcode}${from}`];
  const cut = authority.find((one) => one.type === "NS");
  return [cut === undefined ? `${type}: no data${from}` : `${type}: referral to ${cut.name}`];
}
