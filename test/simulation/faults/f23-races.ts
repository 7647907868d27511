/**
 * F23: two owners want one name in the same moment and strangers take it between the read and the
 * write (Z-27), on each kind of back end that a provider may be; Designate's is F26.
 */
import type { ChangeGroup } from "../../../src/plan/changes.ts";
import {
  LIKE_ALIDNS,
  LIKE_CLOUDFLARE,
  LIKE_ETCD,
  LIKE_POWERDNS,
  LIKE_ROUTE53,
  LIKE_WEBHOOK,
  type MemoryBehaviour,
} from "../../support/memory-provider/behaviour.ts";
import type { ApplyFault } from "../../support/memory-provider/faults.ts";
import { takeName } from "../world/foreign-writers.ts";
import { type ActContext, wantTogether } from "../world/users.ts";
import type { Weather, World } from "../world/world.ts";
import { isOfFences } from "../world/zone-truth.ts";
import type { FaultClass } from "./fault-class.ts";

/** What the checks of other classes look at is left out; a call takes its time. */
const RACED = {
  rate: null,
  ttl: { minSeconds: 1, maxSeconds: 2_147_483_647 },
  trimsText: false,
  readLagMs: 0,
  latencyMs: 40,
};

/** How a call writes, and what it compares, by the name of its class. */
const KINDS: Readonly<Record<string, readonly [MemoryBehaviour, string]>> = {
  "F23-cloudflare": [LIKE_CLOUDFLARE, "records by id in one transaction"],
  "F23-alidns": [LIKE_ALIDNS, "records by id, one value a call"],
  "F23-powerdns": [LIKE_POWERDNS, "whole record sets in one transaction"],
  "F23-webhook": [LIKE_WEBHOOK, "whole record sets, one a call"],
  "F23-route53": [LIKE_ROUTE53, "a transaction that compares what it writes"],
  "F23-etcd": [LIKE_ETCD, "a transaction that compares all"],
};

/** Both owners act at once; then strangers, lost answers and crashes come between their calls. */
export const RACES: readonly FaultClass[] = Object.entries(KINDS).map(([id, [like, how]]) =>
  raceOn({ ...like, ...RACED }, { id, title: `races: ${how}` }),
);

/** Such a class on a back end. */
export function raceOn(
  behaviour: MemoryBehaviour,
  { id, title }: Pick<FaultClass, "id" | "title">,
): FaultClass {
  return {
    id,
    title,
    world: { behaviours: [behaviour], owners: 2 },
    strike: (context) => {
      const { world } = context;
      wantTogether(world);
      world.tally.add(id);
      const cuts = behaviour.atomicity === "value" ? 0.15 : 0;
      const apply = (groups: readonly ChangeGroup[]): readonly ApplyFault[] =>
        troubleAt(racedName(groups), { world, cuts });
      return { apply, passage: stumbles(context) };
    },
  };
}

/** A stranger who took a fence's name would stop all writes until a person frees it (Z-17). */
function racedName(groups: readonly ChangeGroup[]): string | undefined {
  return groups.find(({ name }) => !isOfFences(name))?.name;
}

/** What the calls of a race meet. `cuts`: how many of them write a part of their values. */
function troubleAt(
  name: string | undefined,
  { world, cuts }: { readonly world: World; readonly cuts: number },
): readonly ApplyFault[] {
  const { random } = world;
  if (name === undefined) return [];
  if (random.chance(0.2))
    return [
      { kind: "foreign", write: () => world.foreign("in between", () => takeName(world, name)) },
    ];
  if (random.chance(0.1)) return [{ kind: random.pick(["lost-before", "lost-after"]) }];
  if (cuts > 0 && random.chance(cuts)) return [{ kind: "partial", changes: 1 }];
  return [];
}

/** Processes end between two calls of a race, or stand still before they write. */
function stumbles({ world: { random } }: ActContext): Weather["passage"] {
  return (what) => {
    if (what === "apply" && random.chance(0.15))
      return { pauseMs: random.below(random.chance(0.5) ? 300 : 5_000) };
    if (!random.chance(0.04)) return "pass";
    return random.chance(0.5) ? "crash-before" : "crash-after";
  };
}
