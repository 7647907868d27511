/**
 * An ObjectObserver that gives the same answer about every object, in one cluster whose kinds are
 * all live. Its API server confirms every absence, unless a test says otherwise.
 */
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import type { Found } from "../../../src/sources/source.ts";
import { NO_SIGHTINGS, type SightingMemory } from "../../../src/sync/absence/sightings.ts";
import type {
  ClusterObservation,
  ObjectObserver,
} from "../../../src/sync/contract/object-observation.ts";

type State = ClusterObservation["state"];

/** What a test may replace. */
export interface FakeObserverOptions extends Partial<Omit<ObjectObserver, "observe">> {
  /** What a source reads from each live object; null and absent = no source reads it. */
  readonly found?: Found<DesiredRecordSet> | null;
}

/** `state`: of every object, or by its `resource`. */
export function fakeObserver(
  state: State | ((resource: string) => State),
  { found = null, ...others }: FakeObserverOptions = {},
): ObjectObserver {
  const stateAt = (resource: string): State =>
    typeof state === "string" ? state : state(resource);
  return {
    kinds: () => [
      {
        ...{ cluster: "c1", kind: "services", markerKind: "service", state: "live" },
        ...{ isRemembered: true, trouble: null },
      },
    ],
    observe: (_, resource) => {
      const one = observed(stateAt(resource));
      return [one.state === "alive" ? { ...one, found } : one];
    },
    observeNow: async () => [observed("absent")],
    endedWithAll: () => false,
    hasDropped: () => false,
    isNamespaceEnding: async () => false,
    definitionNow: async () => ({ state: "stands", createdMs: null }),
    createdMs: () => null,
    ...others,
  };
}

/** An object in cluster `c1`. */
export function observed(state: State, generation: number | null = null): ClusterObservation {
  const base = { cluster: "c1", kindState: "live" } as const;
  if (state === "alive") return { ...base, state, generation, found: null };
  if (state === "absent") return { ...base, state };
  return { ...base, state, code: "NotSynced", message: "no answer" };
}

/** Every object was seen to list every name. */
export const ALL_SEEN: SightingMemory = { ...NO_SIGHTINGS, has: () => true };
