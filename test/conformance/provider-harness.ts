/**
 * What the provider conformance suite needs from whoever runs it: sessions on one zone, an
 * independent reader, a stranger who writes, and a way to lose an answer. Interfaces and small
 * builders only.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../src/model/record-set.ts";
import type { Zone } from "../../src/model/zone.ts";
import type { Change, ChangeGroup, Outcome, Precondition } from "../../src/plan/changes.ts";
import type { ProviderEnvironment, ProviderSession } from "../../src/providers/provider.ts";
import { pack } from "../../src/sync/calls/pack-batches.ts";
import type { BreakableFake } from "../support/fakes/fake-api.ts";

/** What keeps sessions from writing. */
export type Rails = Partial<Pick<ProviderEnvironment, "dryRun" | "writeGate">>;

/** One back end with one zone, running. */
export interface ProviderHarness {
  readonly zone: DnsName;
  /** A new session; the rails must make writing impossible. */
  open(rails?: Rails): ProviderSession;
  /**
   * What an independent reader sees (dig, the store itself): canonical values, sorted; null = no
   * such record set.
   */
  poll(name: DnsName, type: string): Promise<Pick<RecordSet, "ttlSeconds" | "values"> | null>;
  /** A stranger adds a record set. */
  addForeign(set: RecordSet): Promise<void>;
  /** The next `apply` of a session opened after this takes effect and its answer is lost. */
  loseNextAnswer(): void;
  /**
   * The next call that writes is refused because there were too many, as the vendor says it; with a
   * `Retry-After` of so many seconds, null = without. Absent = the back end counts no calls.
   */
  throttleNext?(afterSeconds: number | null): void;
  /** Absent = a server itself, whose calls cannot be broken. */
  readonly fake?: BreakableFake;
  /** What was asked of a fake since the last question; absent = a server that counts nothing. */
  takeCalls?(): readonly { readonly method: string; readonly path: string }[];
  /** Waits until reads show every write; at once where they always do. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Five seconds are plenty on loopback. */
export const soon = (): AbortSignal => AbortSignal.timeout(20_000);

/** The session's only zone. */
export async function zoneOf(session: ProviderSession): Promise<Zone> {
  const [zone, ...more] = await session.zones(soon());
  if (zone === undefined || more.length > 0) throw new Error("the harness shows exactly one zone");
  return zone;
}

/** The set as the only zone of the session shows it. */
export async function normalizedBy(session: ProviderSession, set: RecordSet): Promise<RecordSet> {
  return session.normalize(set, await zoneOf(session));
}

/** A plain record set. */
export function recordSet(name: string, type: string, ...values: readonly string[]): RecordSet {
  return {
    name: trustedDnsName(name),
    type,
    setIdentifier: null,
    ttlSeconds: 900,
    values: [...values].sort(),
    properties: {},
    routingPolicy: null,
  };
}

/** An A record set of example.org; 192.0.2.1 where no value is given. */
export function address(label: string, ...values: readonly string[]): RecordSet {
  return recordSet(`${label}.example.org`, "A", ...(values.length === 0 ? ["192.0.2.1"] : values));
}

/** The same with another TTL. */
export function withTtl(set: RecordSet, ttlSeconds: number): RecordSet {
  return { ...set, ttlSeconds };
}

/** `create` with the preconditions of Z-8. */
export function create(next: RecordSet): ChangeGroup {
  const { name, type } = next;
  const absent = (other: string): Precondition => ({
    is: "absent",
    key: { name, type: other, setIdentifier: null },
  });
  const preconditions: readonly Precondition[] =
    type === "CNAME" ? [{ is: "name-unused", name }] : [absent(type), absent("CNAME")];
  return group(name, [{ op: "create", next }], preconditions);
}

/** `replace` of exactly what was read. */
export function replace(previous: RecordSet, next: RecordSet): ChangeGroup {
  return group(next.name, [{ op: "replace", previous, next }], [{ is: "exact", set: previous }]);
}

/** `remove` of exactly what was read. */
export function remove(previous: RecordSet): ChangeGroup {
  return group(previous.name, [{ op: "remove", previous }], [{ is: "exact", set: previous }]);
}

/** A group by hand. */
export function group(
  name: DnsName,
  changes: readonly Change[],
  preconditions: readonly Precondition[] = [],
): ChangeGroup {
  return { name, keys: [], changes, preconditions };
}

/** One call with these groups; outcomes by name. Throws when a group has no outcome or two. */
export async function applyOnce(
  session: ProviderSession,
  groups: readonly ChangeGroup[],
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const outcome of session.apply(await zoneOf(session), groups, soon()))
    outcomes.push(outcome);
  const names = outcomes.map(({ name }) => name).sort();
  const wanted = groups.map(({ name }) => name).sort();
  if (JSON.stringify(names) !== JSON.stringify(wanted))
    throw new Error(`groups ${wanted.join(" ")} but outcomes for ${names.join(" ")}`);
  return outcomes;
}

/** One group alone; its status. */
export async function applyStatus(
  session: ProviderSession,
  one: ChangeGroup,
): Promise<Outcome["status"]> {
  const [outcome] = await applyOnce(session, [one]);
  if (outcome === undefined) throw new Error("no outcome");
  return outcome.status;
}

/** Groups that must succeed, in calls as large as the back end takes. */
export async function mustApply(
  session: ProviderSession,
  groups: readonly ChangeGroup[],
): Promise<void> {
  for (const batch of pack(groups, session.capabilities)) {
    const outcomes = await applyOnce(session, batch);
    const bad = outcomes.find(({ status }) => status !== "applied");
    if (bad !== undefined) throw new Error(`not applied: ${JSON.stringify(bad)}`);
  }
}

/** What the provider itself reads at some names. */
export async function readNames(
  session: ProviderSession,
  names: readonly DnsName[],
): Promise<readonly RecordSet[]> {
  return (await session.records(await zoneOf(session), names, soon())).sets;
}
