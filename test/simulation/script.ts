/**
 * What happens in one seed: users, strangers and faults take turns at random for a while; then the faults end, time
 * goes on, and the world must have converged and be quiet. The same seed gives the same story.
 */
import { trustedDnsName } from "../../src/model/dns-name.ts";
import { DNS_ENTRY, SERVICE } from "../../src/model/kinds.ts";
import type { RecordSet } from "../../src/model/record-set.ts";
import type { ApplyFault } from "../../src/providers/memory/faults.ts";
import { checkConverged, Violation } from "./checks.ts";
import type { WantedObject } from "./truth.ts";
import { CALM, OWNER, RELOAD_MS, type Weather, World } from "./world.ts";
import { contentText } from "./zone-truth.ts";

/** How one seed is played. */
export interface ScriptOptions {
  readonly seed: number;
  /** Turns of users, strangers and faults. */
  readonly turns: number;
  /** Probability of trouble with a single call, 0 to 1. */
  readonly trouble: number;
}

const NAMES = ["www", "api", "a-www", "*.w", "x.w", "deep.sub", "txt"].map(
  (n) => `${n}.example.org`,
);
const ENTRIES = ["e0", "e1", "e2", "e3"];
const SERVICES = ["s0", "s1"];
const ADDRESSES = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];

/** Plays one seed. Throws the first violation, with what had happened. */
export async function play(options: ScriptOptions): Promise<World> {
  const world = new World(options.seed);
  try {
    await playIn(world, options);
  } catch (error) {
    const story = [
      ...world.diary.slice(-60),
      "zone:",
      ...world.content().map((set) => `  ${contentText(set)}`),
      "wanted:",
      ...world.truth.objects().map((wanted) => `  ${JSON.stringify(wanted)}`),
      "entries:",
      ...world.cluster.all(DNS_ENTRY).map((entry) => `  ${JSON.stringify(entry)}`),
      `open: ${world.explain()}`,
    ].join("\n");
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${story}`, {
      cause: error,
    });
  }
  return world;
}

async function playIn(world: World, options: ScriptOptions): Promise<void> {
  world.start();
  for (let turn = 0; turn < options.turns; turn++) {
    world.weather = weatherOf(world, options.trouble);
    takeTurn(world);
    await world.clock.advance(world.random.below(400));
    if (world.violation !== null) throw world.violation;
    if (!world.isRunning) {
      await world.clock.advance(world.random.below(2_000));
      world.start();
    }
  }
  await calmDown(world);
}

/** Milliseconds after the end of trouble until everything stands; less than a reload, which must not be needed. */
const CONVERGED_MS = 240_000;

/** The end of trouble: L1 and L4 after a bounded time, then L2. */
async function calmDown(world: World): Promise<void> {
  world.weather = CALM;
  world.note("calm");
  if (!world.isRunning) world.start();
  await world.clock.advance(CONVERGED_MS);
  if (world.violation !== null) throw world.violation;
  checkConverged(world.content(), world.truth, OWNER);
  await world.clock.advance(2 * RELOAD_MS - CONVERGED_MS);
  const { ownWrites } = world;
  const clusterWrites = world.cluster.writes.length;
  await world.clock.advance(2 * RELOAD_MS);
  if (world.violation !== null) throw world.violation;
  if (world.ownWrites !== ownWrites) throw new Violation("L2: the zone is written again and again");
  if (world.cluster.writes.length !== clusterWrites)
    throw new Violation(`L2: objects are written again: ${world.cluster.writes.at(-1)}`);
}

/** F05 to F08: each external call may meet trouble. */
function weatherOf(world: World, trouble: number): Weather {
  const { random } = world;
  return {
    passage: () => {
      if (!random.chance(trouble / 8)) return "pass";
      return random.chance(0.5) ? "crash-before" : "crash-after";
    },
    apply: () => (random.chance(trouble) ? [applyFault(world)] : []),
    read: () => (random.chance(trouble / 2) ? [{ kind: "down" }] : []),
  };
}

function applyFault(world: World): ApplyFault {
  const { random } = world;
  switch (random.below(7)) {
    case 0:
      return { kind: "lost-before" };
    case 1:
      return { kind: "lost-after" };
    case 2:
      return { kind: "late", delayMs: random.below(5_000) };
    case 3:
      return { kind: "throttled", afterMs: random.chance(0.5) ? null : random.below(3_000) };
    case 4:
      return { kind: "down" };
    case 5: {
      const name = random.pick(NAMES);
      return { kind: "rejects", code: "Refused", matches: (group) => group.name === name };
    }
    default:
      return { kind: "foreign", write: () => world.foreign("in between", () => meddle(world)) };
  }
}

function takeTurn(world: World): void {
  const { random } = world;
  const choice = random.below(20);
  if (choice < 8) applyEntry(world);
  else if (choice < 10) deleteEntry(world);
  else if (choice < 14) applyService(world);
  else if (choice < 15) deleteService(world);
  else if (choice < 16) loseStatus(world);
  else if (choice < 18) world.foreign("turn", () => meddle(world));
  else if (choice < 19) interrupt(world);
  else writerTrouble(world);
  if (random.chance(0.04)) world.kill();
}

/** F02, F03: a kind cannot be watched or read for a while. */
function interrupt(world: World): void {
  const { random } = world;
  const kind = random.pick([DNS_ENTRY, SERVICE]);
  world.interrupt(kind, random.pick(["stale", "forbidden"]), random.below(20_000));
}

/** F06. */
function writerTrouble(world: World): void {
  const { random } = world;
  const on = random.pick(["create", "patch", "patchStatus", "remove"] as const);
  const code = random.pick(["Conflict", "TooManyRequests", "Unavailable", "UnknownOutcome"]);
  const applied = code === "UnknownOutcome" && random.chance(0.5);
  world.note(`next ${on} meets ${code}${applied ? " after it was done" : ""}`);
  world.cluster.fail({ on, code, applied });
}

function applyEntry(world: World): void {
  const { random } = world;
  const name = random.pick(ENTRIES);
  const dnsName = random.pick(NAMES);
  const resource = `dnsentry/default/${name}`;
  const spec = random.chance(0.12) ? { dnsName, targets: ["not a name"] } : specFor(world, dnsName);
  world.note(`apply ${resource} ${JSON.stringify(spec)}`);
  const before = world.truth.get(resource);
  const present = world.cluster.now(DNS_ENTRY, "default", name);
  if (present?.metadata.deletionTimestamp !== undefined) return;
  world.cluster.apply(DNS_ENTRY, {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { namespace: "default", name },
    spec,
  });
  world.truth.applied(wantedBy(resource, spec) ?? broken(resource, dnsName, before));
}

interface EntrySpec {
  readonly dnsName: string;
  readonly targets?: readonly string[];
  readonly text?: readonly string[];
}

function specFor(world: World, dnsName: string): EntrySpec {
  const { random } = world;
  switch (random.below(5)) {
    case 0:
      return { dnsName, targets: ["target.example.net"] };
    case 1:
      return { dnsName, text: [`text-${random.below(3)}`] };
    case 2:
      return { dnsName, targets: [random.pick(ADDRESSES), "2001:db8::1"] };
    default:
      return { dnsName, targets: [random.pick(ADDRESSES)] };
  }
}

/** What a spec says, read here by simple rules of the simulator's own; null = it is broken. */
function wantedBy(
  resource: string,
  { dnsName, targets = [], text = [] }: EntrySpec,
): WantedObject | null {
  const values: Record<string, readonly string[]> = {};
  if (text.length > 0) values["TXT"] = text.map((line) => `"${line}"`);
  const v4 = targets.filter((target) => /^\d+\.\d+\.\d+\.\d+$/.test(target));
  const v6 = targets.filter((target) => target.includes(":"));
  const host = targets.filter((target) => /^[a-z.]+$/.test(target));
  if (v4.length + v6.length + host.length !== targets.length) return null;
  if (v4.length > 0) values["A"] = v4;
  if (v6.length > 0) values["AAAA"] = v6;
  if (host.length > 0) values["CNAME"] = host;
  return { resource, names: [dnsName], types: Object.keys(values), values, settled: true };
}

/** Z-5: a broken spec wants what its last valid one wanted; what becomes of it is not predicted. */
function broken(resource: string, dnsName: string, before: WantedObject | null): WantedObject {
  const names = [...new Set([...(before?.names ?? []), dnsName])];
  const { types = [], values = {} } = before ?? {};
  return { resource, names, types, values, settled: false };
}

function deleteEntry(world: World): void {
  const name = world.random.pick(ENTRIES);
  if (world.cluster.now(DNS_ENTRY, "default", name) === null) return;
  world.note(`delete dnsentry/default/${name}`);
  world.truth.deleted(`dnsentry/default/${name}`);
  world.cluster.delete(DNS_ENTRY, "default", name);
}

function applyService(world: World): void {
  const { random } = world;
  const name = random.pick(SERVICES);
  const dnsName = random.pick(NAMES);
  const address = random.pick(ADDRESSES);
  const resource = `service/default/${name}`;
  world.note(`apply ${resource} ${dnsName} ${address}`);
  world.cluster.apply(SERVICE, {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      namespace: "default",
      name,
      annotations: { "dns.gardener.cloud/dnsnames": dnsName },
    },
    spec: { type: "LoadBalancer" },
  });
  const status = { loadBalancer: { ingress: [{ ip: address }] } };
  world.cluster.setStatus(SERVICE, "default", name, status);
  const values = { A: [address] };
  world.truth.applied({ resource, names: [dnsName], types: ["A"], values, settled: true });
}

/** F04: a live object loses its status, or gets garbage; nothing of it may be removed. */
function loseStatus(world: World): void {
  const { random } = world;
  const name = random.pick(SERVICES);
  const resource = `service/default/${name}`;
  const before = world.truth.get(resource);
  if (before === null) return;
  const status = random.pick([
    {},
    { loadBalancer: {} },
    { loadBalancer: { ingress: [{ ip: "garbage!" }] } },
  ]);
  world.note(`${resource} loses its status`);
  world.cluster.setStatus(SERVICE, "default", name, status);
  world.truth.applied({ ...before, settled: false });
}

function deleteService(world: World): void {
  const name = world.random.pick(SERVICES);
  if (world.cluster.now(SERVICE, "default", name) === null) return;
  world.note(`delete service/default/${name}`);
  world.truth.deleted(`service/default/${name}`);
  world.cluster.delete(SERVICE, "default", name);
}

/** F12: people and other controllers write what they like, but nothing under our owner id. */
function meddle(world: World): void {
  const { random } = world;
  const name = random.pick(NAMES);
  const { content } = world.zone;
  const first = name.startsWith("*.") ? `_owner.a._wildcard.${name.slice(2)}` : `a-${name}`;
  const at = content.at(trustedDnsName(name));
  switch (random.below(5)) {
    case 0:
      if (at.length === 0) content.write([edit(name, "A", ["198.51.100.1"])]);
      return;
    case 1:
      if (at.length === 0) content.write([edit(name, "TXT", ['"by hand"'])]);
      return;
    case 2:
      if (at.length === 0 && content.at(trustedDnsName(first)).length === 0)
        content.write([
          edit(name, "A", ["198.51.100.2"]),
          edit(first, "TXT", [
            '"heritage=external-dns,external-dns/owner=other,external-dns/resource=service/x/y"',
          ]),
        ]);
      return;
    case 3:
      removeHandMade(world, name);
      return;
    default:
      removeHandMade(world, random.pick(NAMES));
  }
}

/** Strangers clean up after themselves only. */
function removeHandMade(world: World, name: string): void {
  const { content } = world.zone;
  const own = content
    .at(trustedDnsName(name))
    .filter((set) => set.values.some((v) => v.startsWith("198.51.100.") || v === '"by hand"'));
  content.write(own.map((set) => ({ key: set, next: null })));
}

function edit(
  name: string,
  type: string,
  values: readonly string[],
): { key: RecordSet; next: RecordSet } {
  const set: RecordSet = {
    name: trustedDnsName(name),
    type,
    setIdentifier: null,
    ttlSeconds: 60,
    values,
    properties: {},
    routingPolicy: null,
  };
  return { key: set, next: set };
}
