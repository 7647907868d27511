/**
 * The small world of proof 3 (Z-17): two replicas of one Lease and a second installation
 * with the same owner id write to zones through the fence of the product. Each step of a writer may
 * be the last before a long pause; answers get lost, calls take effect late, fences are refused.
 * What the world knows, and no writer does, is checked after every step.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import type { ChangeGroup, Precondition } from "../../../src/plan/changes.ts";
import { AccountBudget } from "../../../src/sync/calls/account-budget.ts";
import { applyBatch } from "../../../src/sync/calls/apply-batches.ts";
import { fenceName, parseFences } from "../../../src/sync/contract/fence-record.ts";
import type { OpenZoneInput } from "../../../src/sync/contract/zone.ts";
import { ZoneFence } from "../../../src/sync/fence/zone-fence.ts";
import type { ApplyFault } from "../../support/memory-provider/faults.ts";
import { MemorySession } from "../../support/memory-provider/memory-session.ts";
import { MemoryAccount } from "../../support/memory-provider/provider.ts";
import { FakeTerm } from "../../support/ports/fake-term.ts";
import { MemoryLog, MemoryMetrics } from "../../support/ports/test-ports.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";

/** `a1` and `a2` share a Lease; `b` has another one. */
export type Who = "a1" | "a2" | "b";
/**
 * What `b` is: another installation, one that would share the owner id (`half`: the others would
 * not), or of the election of the others.
 */
export type Sort = "other" | "half" | "shared" | "lease";
/** What becomes of the call of a step. */
export type CallOutcome = "fine" | "lost-before" | "lost-after" | "late" | "refused";

/** One step; nothing else happens meanwhile. */
export type Step =
  /** The Lease passes to this replica, or again to `b`; the other one does not notice. */
  | { readonly do: "elect"; readonly who: Who }
  /** Up to the moment before the batch is sent: plans are admitted and the fence is armed. */
  | { readonly do: "arm"; readonly who: Who; readonly zone: number; readonly outcome: CallOutcome }
  /** The batch goes out, however long ago it was made. */
  | {
      readonly do: "send";
      readonly who: Who;
      readonly zone: number;
      readonly outcome: CallOutcome;
    };

const WHO: readonly Who[] = ["a1", "a2", "b"];
/** What is late takes effect behind the step that follows. */
const LATE_MS = 1_000;
const STEP_MS = 600;
/** After that a refused fence is tried again. */
const REFUSED_MS = 3_600_000;

/** One writer in one term: what it has open in each zone. */
interface Writer {
  readonly term: FakeTerm;
  readonly fences: readonly ZoneFence[];
  /** What it would assert with its batch; absent = it has none to send. */
  readonly armed: Map<number, Precondition | null>;
}

interface World {
  readonly sort: Sort;
  readonly clock: VirtualClock;
  readonly account: MemoryAccount;
  readonly initials: readonly OpenZoneInput[];
  readonly writers: Map<Who, Writer>;
  readonly truth: Truth;
  /** Batches that were sent and have not been seen to stand. */
  sent: readonly Sent[];
}

interface Sent {
  readonly who: Who;
  readonly epoch: number;
  readonly term: string | null;
  readonly zone: number;
  readonly group: ChangeGroup;
}

/** What has happened, as nobody inside sees it. */
interface Truth {
  /** Of the last term of each Lease. */
  readonly epoch: Record<"a" | "b", number>;
  writes: number;
  outcome: CallOutcome;
  /**
   * Per zone: the highest epoch of domain `a` that its fence ever held, with the id of its term,
   * and the domain whose fence stood first; null = none did.
   */
  readonly latest: { readonly epoch: number; readonly id: string | null }[];
  readonly first: (string | null)[];
}

/** Plays steps, then lets everybody go on in fair weather. Throws with the rule that was broken. */
export async function playFence(
  steps: readonly Step[],
  zones: number,
  sort: Sort = "other",
): Promise<void> {
  const world = open(zones, sort);
  elect(world, "a1");
  elect(world, "b");
  for (const step of steps) await play(world, step);
  await calm(world);
  for (const { fences } of world.writers.values()) for (const fence of fences) fence.close();
}

function open(zones: number, sort: Sort): World {
  const clock = new VirtualClock();
  const account = new MemoryAccount();
  for (let at = 0; at < zones; at++) account.addZone({ name: trustedDnsName(`zone${at}.example`) });
  const session = new MemorySession({
    zones: () => account.zones(),
    faults: { apply: (...call) => account.faults.apply(...call), read: () => [] },
    environment: { clock, dryRun: false },
  });
  const initials = account.zones().map(({ zone }) => ({
    key: { account: "a", zone: zone.name },
    zone,
    session,
    ownership: openTxtOwnership({ apex: zone.name, isOwnedByUs: () => true, atomic: true }),
    policy: "sync" as const,
    adoption: { mode: "never" as const },
    managedTypes: new Set(["A"]),
    defaultTtlSeconds: 300,
  }));
  const truth: Truth = {
    epoch: { a: 0, b: 0 },
    writes: 0,
    outcome: "fine",
    latest: initials.map(() => ({ epoch: 0, id: null })),
    first: initials.map(() => null),
  };
  account.breakWith({ apply: () => faultsOf(truth.outcome), read: () => [] });
  return { sort, clock, account, initials, writers: new Map(), truth, sent: [] };
}

function faultsOf(outcome: CallOutcome): readonly ApplyFault[] {
  switch (outcome) {
    case "fine":
      return [];
    case "late":
      return [{ kind: "late", delayMs: LATE_MS }];
    case "refused":
      return [{ kind: "rejects", code: "REFUSED", matches: () => true }];
    case "lost-before":
    case "lost-after":
      return [{ kind: outcome }];
  }
}

function domainOf(who: Who, sort: Sort): "a" | "b" {
  return who === "b" && sort !== "lease" ? "b" : "a";
}

/** The next epoch of a Lease is later than all that a zone showed to its holders. */
function elect(world: World, who: Who): void {
  const { truth, writers } = world;
  const lease = who === "b" ? "b" : "a";
  const shown = [...writers].flatMap(([each, { term }]) =>
    (each === "b") === (who === "b") ? term.outdatedBy : [],
  );
  truth.epoch[lease] = Math.max(truth.epoch[lease], ...shown) + 1;
  writers.set(who, join(world, who, truth.epoch[lease]));
}

function join({ sort, clock, initials }: World, who: Who, epoch: number): Writer {
  const term = new FakeTerm(domainOf(who, sort), epoch, `${who}-${epoch}`);
  const shares = sort === "shared" || (sort === "half" && who === "b");
  const sharing = shares ? ({ shared: true } as const) : {};
  const pieces = { term, record: true, clock, log: new MemoryLog(), ...sharing };
  const budget = new AccountBudget(clock, null);
  const nothing = (): void => undefined;
  const rest = { budget, metrics: new MemoryMetrics(), onWrote: nothing, onMoved: nothing };
  const { signal } = new AbortController();
  const fences = initials.map(
    (zoneInput) =>
      new ZoneFence({
        ...{ ...pieces, ...rest, zoneInput, signal },
        name: fenceName(zoneInput.zone.name, "me"),
      }),
  );
  return { term, fences, armed: new Map() };
}

async function play(world: World, step: Step): Promise<void> {
  if (step.do === "elect") elect(world, step.who);
  else {
    world.truth.outcome = step.outcome;
    await (step.do === "arm" ? arm : send)(world, step.who, step.zone);
    world.truth.outcome = "fine";
  }
  await pass(world, STEP_MS);
}

/** Time goes on, and what is late takes effect, one call after the other. */
async function pass(world: World, ms: number): Promise<void> {
  observe(world);
  const { clock } = world;
  const endMs = clock.monotonicMs() + ms;
  for (let next = clock.nextTimerMs; next !== null; next = clock.nextTimerMs) {
    if (clock.monotonicMs() + next > endMs) break;
    await clock.advance(next);
    observe(world);
  }
  await clock.advance(endMs - clock.monotonicMs());
}

/** Judges what has come to stand by what was known before, then takes in what the fences say. */
function observe(world: World): void {
  const isThere = ({ zone, group }: Sent): boolean => exists(world, zone, group);
  const written = world.sent.filter(isThere);
  world.sent = world.sent.filter((each) => !isThere(each));
  for (const sent of written) judge(world, sent);
  learn(world);
}

async function arm({ writers }: World, who: Who, zone: number): Promise<void> {
  const writer = writers.get(who);
  const fence = writer?.fences[zone];
  if (writer === undefined || fence === undefined) return;
  writer.armed.delete(zone);
  try {
    if ((await fence.admit()).may === "stop") return;
    const answer = await fence.arm();
    if (answer.may === "send") writer.armed.set(zone, answer.compare);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}

/** Sends what was armed, even after a pause of years; true = it was written. */
async function send(world: World, who: Who, zone: number): Promise<boolean> {
  const { writers, initials, clock, truth } = world;
  const writer = writers.get(who);
  const zoneInput = initials[zone];
  const fence = writer?.fences[zone];
  const compare = writer?.armed.get(zone);
  if (
    writer === undefined ||
    fence === undefined ||
    zoneInput === undefined ||
    compare === undefined
  )
    return false;
  writer.armed.delete(zone);
  truth.writes += 1;
  const group = groupOf(zoneInput, `w${truth.writes}`);
  const { epoch, id } = writer.term;
  world.sent = [...world.sent, { who, epoch, term: id, zone, group }];
  await applyBatch(
    {
      session: zoneInput.session,
      zone: zoneInput.zone,
      signal: new AbortController().signal,
      budget: new AccountBudget(world.clock, null),
      isDue: () => true,
      fence: {
        compares: compare === null ? [] : [compare],
        hasMoved: () => fence.hasMoved(compare).catch(() => true),
        callMs: () => null,
        clock,
      },
    },
    [group],
  );
  return exists(world, zone, group);
}

function groupOf({ zone }: OpenZoneInput, label: string): ChangeGroup {
  const name = trustedDnsName(`${label}.${zone.name}`);
  const next: RecordSet = {
    name,
    type: "A",
    setIdentifier: null,
    ttlSeconds: 300,
    values: ["192.0.2.1"],
    properties: {},
    routingPolicy: null,
  };
  return { name, keys: [], changes: [{ op: "create", next }], preconditions: [] };
}

function exists({ account, initials }: World, zone: number, { name }: ChangeGroup): boolean {
  const apex = initials[zone]?.zone.name;
  return apex !== undefined && (account.zoneNamed(apex)?.content.at(name).length ?? 0) > 0;
}

/** S6 and Z-17, over what was written just now. */
function judge({ truth, sort }: World, { who, epoch, term, zone }: Sent): void {
  const known = truth.latest[zone] ?? { epoch: 0, id: null };
  const first = truth.first[zone] ?? null;
  const domain = domainOf(who, sort);
  if (domain === "a" && epoch < known.epoch)
    throw new Error(`S6: ${who} wrote with epoch ${epoch} after ${known.epoch} had begun`);
  if (domain === "a" && epoch === known.epoch && term !== known.id)
    throw new Error(`S6: ${who} wrote with the epoch ${epoch} of ${known.id}`);
  if (first !== null && domain !== first && sort !== "shared")
    throw new Error(`Z-17: ${who} wrote to a zone where ${first} was first`);
}

/** Takes in what the fences say now. */
function learn({ account, initials, truth }: World): void {
  for (const [at, { zone }] of initials.entries()) {
    const name = fenceName(zone.name, "me");
    const [set] = name === null ? [] : (account.zoneNamed(zone.name)?.content.at(name) ?? []);
    const records = set === undefined ? [] : (parseFences(set) ?? []);
    const ours = records.find(({ domain }) => domain === "a");
    if (ours !== undefined && ours.epoch >= (truth.latest[at]?.epoch ?? 0))
      truth.latest[at] = { epoch: ours.epoch, id: ours.term ?? null };
    truth.first[at] ??= records[0]?.domain ?? null;
  }
}

/** Rounds after which of two Leases of one election one has given way. */
const SETTLED_AFTER = 6;

/**
 * Everybody goes on in turn and in fair weather. In each zone one writes and nobody else: the
 * installation that was there first (each one where they share), and of its replicas the holder of
 * the Lease. Who was replaced pauses (`replacedPauseMs`).
 */
async function calm(world: World): Promise<void> {
  await pass(world, REFUSED_MS);
  await round(world);
  // Who was first learns by a compare that failed that another one is beside it.
  if (world.sort === "shared") await round(world);
  for (let each = 0; world.sort === "lease" && each < SETTLED_AFTER; each++) {
    for (const [who, { term }] of [...world.writers])
      if (term.outdatedBy.length > 0 && !term.wasReplaced && isHolder(world, who, term.epoch))
        elect(world, who);
    await round(world);
  }
  const written = await round(world);
  for (const zone of world.initials.keys()) {
    const writers = written.filter((one) => one.zone === zone).map(({ who }) => who);
    const domains = new Set(writers.map((who) => domainOf(who, world.sort)));
    const isMissing = world.sort === "shared" ? domains.size !== 2 : writers.length === 0;
    if (isMissing || domains.size !== writers.length)
      throw new Error(`L1: zone ${zone} was written by ${writers.join() || "nobody"}`);
  }
  const ours = written.map(({ who }) => who).filter((who) => domainOf(who, world.sort) === "a");
  if (new Set(ours).size > 1) throw new Error("L1: two replicas write");
}

function isHolder({ truth }: World, who: Who, epoch: number): boolean {
  return truth.epoch[who === "b" ? "b" : "a"] === epoch;
}

async function round(
  world: World,
): Promise<readonly { readonly who: Who; readonly zone: number }[]> {
  const written: { readonly who: Who; readonly zone: number }[] = [];
  for (const who of WHO)
    for (const zone of world.initials.keys()) {
      await arm(world, who, zone);
      observe(world);
      if (await send(world, who, zone)) written.push({ who, zone });
      observe(world);
    }
  return written;
}
