/**
 * May a record set of ours go that no object wants at its key, and if not, why? The first line that
 * matches keeps it; where none does, it goes with its proof of absence (Z-2).
 */
import { foreignValueText, isShared, sharedText } from "../rights.ts";
import type { RecordFacts } from "./record-facts.ts";
import { rowsAbout } from "./row.ts";

const record = rowsAbout<RecordFacts>();

/**
 * Asked in the plan of its name. Before this a record set may be released, or make room for another
 * one (decide-unwanted.ts); after it the last answer of an object stays until another one is there.
 */
export const RECORD = [
  // Its object wants a record at the name. A held desired record set of another object is no reason
  // to keep it: that object may wait for the removal, and the removal for that object.
  record({ when: ({ isWanted }) => isWanted, hold: null, why: "another object has the name" }),
  record({
    when: ({ isReplacementHeld }) => isReplacementHeld,
    hold: null,
    why: "as is its new one",
  }),
  record({ when: ({ isRefused }) => isRefused, hold: null, why: "it is wanted, and refused" }),

  // Its object may want it.
  record({
    when: ({ absence }) => (absence.proven ? null : absence),
    hold: ({ code }) => code,
    why: ({ message }) => message,
  }),

  // Its object does not want it, and it is not ours to remove.
  record({
    when: ({ policy }) => policy !== "sync" && policy,
    hold: "PolicyForbids",
    why: (policy) => `the policy ${policy} forbids removals`,
  }),
  record({
    when: ({ one, isManaged }) => !isManaged && one,
    hold: "UnmanagedType",
    why: ({ type }) => `Zonekeeper does not manage records of type ${type} here`,
  }),
  record({
    when: ({ one: { marker } }) => isShared(marker) && marker,
    hold: "MarkerShared",
    why: sharedText,
  }),
  record({
    when: ({ one, foreignValues }) => foreignValues.length > 0 && { one, foreignValues },
    hold: "ForeignValue",
    why: ({ one, foreignValues }) => foreignValueText(one.type, foreignValues),
  }),
  record({
    when: ({ one, readAsMarked }) => readAsMarked !== null && { one, readAsMarked },
    hold: "MarkerAmbiguous",
    why: ({ one: { marker, name }, readAsMarked: { type, name: unmarked } }) =>
      `the marker at ${marker.record?.name ?? name} names no type, and external-dns would read it as the marker of ${type} ${unmarked}, which has none; adopt that record, or remove the marker by hand`,
  }),
];
