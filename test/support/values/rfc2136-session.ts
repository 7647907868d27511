/**
 * Opens sessions of the rfc2136 provider over real ports, and builds change groups from zone-file
 * lines. Tests only.
 */
import type { OpenHttp } from "@zonekeeper/base/ports/http";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { RealClock } from "../../../src/app/ports/real-clock.ts";
import { RealCrypto, RealRandom } from "../../../src/app/ports/real-crypto.ts";
import { RealHttpClient } from "../../../src/app/ports/real-http-client.ts";
import { RealNet } from "../../../src/app/ports/real-net.ts";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Zone } from "../../../src/model/zone.ts";
import type { Change, ChangeGroup, Outcome, Precondition } from "../../../src/plan/changes.ts";
import type { ProviderEnvironment, ProviderSession } from "../../../src/providers/provider.ts";
import { RFC2136_PROVIDER } from "../../../src/providers/rfc2136/session.ts";
import { guardedHttp } from "../../../src/providers/shared/guarded-http.ts";
import type { RealServer } from "../real-servers/real-server.ts";

const SILENT = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };

/** What differs from it in a test; HTTP is guarded in any case. */
export type EnvironmentChanges = Partial<Omit<ProviderEnvironment, "http">> & {
  readonly http?: OpenHttp;
};

/** Real ports and a silent log. */
export function realEnvironment({
  http = (target) => new RealHttpClient(target),
  ...changes
}: EnvironmentChanges = {}): ProviderEnvironment {
  return {
    net: new RealNet(),
    http: guardedHttp(http, { dryRun: false, ...changes }),
    clock: new RealClock(),
    random: new RealRandom(),
    crypto: new RealCrypto(),
    log: SILENT,
    dryRun: false,
    ...changes,
  };
}

/** A session to a test server with its key; `secret` and `changes` override. */
export function openSession(
  server: Pick<RealServer, "host" | "port" | "zone" | "key">,
  secret: Readonly<Record<string, string>> = {},
  changes: EnvironmentChanges & { readonly config?: unknown } = {},
): ProviderSession {
  const { config = null, ...environment } = changes;
  const opened = RFC2136_PROVIDER.open(
    {
      secret: {
        Server: `${server.host}:${server.port}`,
        Zone: `${server.zone}.`,
        TSIGKeyName: `${server.key.name}.`,
        TSIGSecret: server.key.secretBase64,
        TSIGSecretAlgorithm: server.key.algorithm,
        ...secret,
      },
      config,
    },
    realEnvironment(environment),
  );
  if (!opened.ok) throw new Error(opened.error.map((each) => each.message).join("; "));
  return opened.value;
}

/** A session without a key, which `allowUnsigned` permits. */
export function openUnsigned(
  server: Pick<RealServer, "host" | "port" | "zone">,
  changes: EnvironmentChanges = {},
): ProviderSession {
  const secret = { Server: `${server.host}:${server.port}`, Zone: server.zone };
  const settings = { secret, config: { allowUnsigned: true } };
  const opened = RFC2136_PROVIDER.open(settings, realEnvironment(changes));
  if (!opened.ok) throw new Error(opened.error.map((each) => each.message).join("; "));
  return opened.value;
}

/** Never aborts. */
export const NEVER: AbortSignal = new AbortController().signal;

/** The zone of a session that serves one. */
export async function onlyZone(session: ProviderSession): Promise<Zone> {
  const [zone] = await session.zones(NEVER);
  if (zone === undefined) throw new Error("no zone");
  return zone;
}

/** `set("www.example.org", 300, "A", "192.0.2.1", …)`. */
export function set(
  name: string,
  ttlSeconds: number,
  type: string,
  ...values: string[]
): RecordSet {
  return {
    name: trustedDnsName(name),
    type,
    setIdentifier: null,
    ttlSeconds,
    values: canonicalValues(values),
    properties: {},
    routingPolicy: null,
  };
}

/** A group at the name of its first change. */
export function group(changes: readonly Change[], ...preconditions: Precondition[]): ChangeGroup {
  const [first] = changes;
  const name = first === undefined ? trustedDnsName("none") : nameOf(first);
  return { name, keys: [], changes, preconditions };
}

function nameOf(change: Change): DnsName {
  return change.op === "create" ? change.next.name : change.previous.name;
}

/** A create with the preconditions that the planner gives one (Z-8). */
export function claim(next: RecordSet): ChangeGroup {
  const key = { name: next.name, setIdentifier: null };
  const preconditions: Precondition[] =
    next.type === "CNAME"
      ? [{ is: "name-unused", name: next.name }]
      : [
          { is: "absent", key: { ...key, type: next.type } },
          { is: "absent", key: { ...key, type: "CNAME" } },
        ];
  return group([{ op: "create", next }], ...preconditions);
}

/** Applies groups in one call and gives the outcomes. */
export async function apply(
  session: ProviderSession,
  zone: Zone,
  ...groups: ChangeGroup[]
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const outcome of session.apply(zone, groups, NEVER)) outcomes.push(outcome);
  return outcomes;
}

/** The records at names, as lines. */
export async function read(
  session: ProviderSession,
  zone: Zone,
  ...names: string[]
): Promise<readonly string[]> {
  const { sets } = await session.records(zone, names.map(trustedDnsName), NEVER);
  return lines(sets);
}

/** `www.example.org 300 A 192.0.2.1,192.0.2.2`. */
export function lines(sets: readonly RecordSet[]): readonly string[] {
  return sets.map(
    (each) => `${each.name} ${each.ttlSeconds} ${each.type} ${each.values.join(",")}`,
  );
}
