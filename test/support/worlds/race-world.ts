/**
 * Engines of two owners over one zone in memory, each call of which waits for a gate (Z-27).
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { ProviderSession } from "../../../src/providers/provider.ts";
import type { MemoryBehaviour } from "../memory-provider/behaviour.ts";
import { MemoryAccount } from "../memory-provider/provider.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";
import { APEX, engineWorld, entry, KEY } from "./engine-world.ts";

/** The name of the race. */
export const WWW = trustedDnsName("www.example.org");
/** Where its marker is. */
export const MARKER = trustedDnsName("a-www.example.org");
/** Milliseconds. */
export const MINUTE_MS = 60_000;
/** Both writers. */
export const OWNERS = ["me", "you"] as const;
/** One of them. */
export type Owner = (typeof OWNERS)[number];
/** What each of them wants. */
export const VALUES = { me: "192.0.2.1", you: "192.0.2.2" } as const;
/** What somebody else writes. */
export const FOREIGN = "198.51.100.1";

/** A call to the back end. */
export type Kind = "load" | "read" | "write";
/** Awaited before each call takes effect. */
export type Gate = (owner: Owner, kind: Kind) => Promise<void>;

/** A session whose calls wait for the gate. */
function gated(session: ProviderSession, owner: Owner, gate: Gate): ProviderSession {
  const records: ProviderSession["records"] = async (zone, names, signal) => {
    await gate(owner, names === null ? "load" : "read");
    return session.records(zone, names, signal);
  };
  const apply: ProviderSession["apply"] = async function* (zone, groups, signal) {
    await gate(owner, "write");
    yield* session.apply(zone, groups, signal);
  };
  const own = { records, apply };
  const get = (target: ProviderSession, key: string | symbol): unknown => {
    if (key === "records" || key === "apply") return own[key];
    const value: unknown = Reflect.get(target, key);
    return typeof value === "function" ? value.bind(target) : value;
  };
  return new Proxy(session, { get });
}

/** Engines of their own owner ids over one zone; they have loaded it. */
export async function race(
  like: MemoryBehaviour,
  gate: Gate,
  owners: readonly Owner[] = OWNERS,
  account: MemoryAccount = new MemoryAccount(),
) {
  const clock = new VirtualClock();
  const behaviour = { ...like, rate: null, readLagMs: 0 };
  const worlds = owners.map((owner) => {
    const world = engineWorld({ clock, account, behaviour, owner });
    const session = gated(world.zoneInput.session, owner, gate);
    world.engine.openZone({ ...world.zoneInput, session });
    return { ...world, owner };
  });
  await clock.advance(5_000);
  const content = account.zoneNamed(APEX)?.content;
  if (content === undefined) throw new Error("the account has the zone");
  const claim = (owner: Owner, type = "A", value: string = VALUES[owner]) =>
    worlds.find((one) => one.owner === owner)?.engine.contribute(KEY, entry("www", [value], type));
  return {
    clock,
    content,
    account,
    claim,
    data: () => content.at(WWW).flatMap(({ values }) => values),
    markers: () => content.at(MARKER).flatMap(({ values }) => values),
    report: (owner: Owner) =>
      worlds
        .find((one) => one.owner === owner)
        ?.reports.at(-1)
        ?.names.find((n) => n.name === WWW),
    stop: () => Promise.all(worlds.map(({ engine }) => engine.stop())),
  };
}
/** A race under way. */
export type Race = Awaited<ReturnType<typeof race>>;
