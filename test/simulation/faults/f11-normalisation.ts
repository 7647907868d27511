/**
 * F11: providers that clamp TTLs, trim texts, ignore conflicts aloud or in silence, and write in
 * steps.
 */
import {
  CLASS_A,
  LIKE_AZURE,
  LIKE_RFC2136,
  type MemoryBehaviour,
} from "../../support/memory-provider/behaviour.ts";
import type { FaultClass } from "./fault-class.ts";

/**
 * Back ends that claim compare-and-swap and read-your-writes: atomic ones, and two that take one
 * record set a call.
 */
export const BEHAVIOURS: readonly MemoryBehaviour[] = [
  LIKE_RFC2136,
  LIKE_RFC2136,
  CLASS_A,
  { ...LIKE_RFC2136, ttl: { minSeconds: 120, maxSeconds: 240 } },
  { ...CLASS_A, trimsText: true, changeToken: "none" },
  LIKE_AZURE,
  { ...LIKE_RFC2136, atomicity: "set" },
];

/**
 * Its worlds have odd back ends; counted where one of them stores something else than it was told.
 */
export const NORMALISATION: FaultClass = {
  id: "F11",
  title: "providers normalise values",
  world: {
    behaviours: [
      { ...LIKE_RFC2136, ttl: { minSeconds: 120, maxSeconds: 240 } },
      { ...CLASS_A, trimsText: true, changeToken: "none" },
      { ...LIKE_AZURE, trimsText: true, ttl: { minSeconds: 120, maxSeconds: 240 } },
    ],
  },
  strike: ({ world: { tally, zone } }) => ({
    apply: (groups) => {
      const { minSeconds, maxSeconds } = zone.behaviour.ttl;
      const isOdd = groups.some(({ changes }) =>
        changes.some((change) => {
          if (change.op === "remove") return false;
          const { ttlSeconds, values } = change.next;
          const isClamped = ttlSeconds < minSeconds || ttlSeconds > maxSeconds;
          return isClamped || values.some((value) => value.endsWith(' "'));
        }),
      );
      if (isOdd) tally.add("F11");
      return [];
    },
  }),
};
