/**
 * Sums up what became of an object that is published directly, without DNSEntries: the line of its
 * status annotation, the state for its conditions, and the texts of Events. From what is wrong with
 * the object itself, and from what the zones reported about its names. Pure.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import type { EventNote } from "@zonekeeper/kube/ports/cluster-writer";
import {
  NO_CAUSE,
  type StateCause,
  type StateFacts,
} from "../../controllers/objects/state-conditions.ts";
import { reportedState } from "../../gardener/dns-entry/entry-status.ts";
import type { NameReport } from "../../sync/contract/contribution.ts";

/** Characters of a status line. */
const LINE_MAX = 1000;
/** Names in an Event. */
const NAMES_MAX = 10;

const UNDER_WAY = "its names are being published";
/** The line while a change takes long. */
export const PENDING_LINE = `Pending: ${UNDER_WAY}`;

/** The faults of an object itself. */
export interface ObjectTrouble extends StateCause {
  /** Mistakes in it, and names without a zone. */
  readonly troubles: readonly string[];
  /** Annotations without effect, where all names are published in spite of them. */
  readonly remarks: readonly string[];
  /** False = some of its names cannot be read now; its records stay as they are. */
  readonly isComplete: boolean;
  /** True = a zone has records of it at names that it does not list. */
  readonly hasUnlisted: boolean;
}

/** The known facts of an object. */
export interface OutcomeInput extends ObjectTrouble {
  /** The reports of all its zones. */
  readonly names: readonly NameReport[];
  /** True = a zone has not reported on the object as it is now. */
  readonly isAwaited: boolean;
}

/** States, the worst first. An object without one of them is in progress. */
const STATES = ["Error", "Stale", "Invalid", "Pending", "Ready"];

/** True while a change of the object is in progress. */
export function isInProgress({ names }: Pick<OutcomeInput, "names">): boolean {
  return names.some((name) => reportedState(name) === null);
}

/** `Error: 1 of 2 names published; …`; null = all is as wanted, and nothing is to be said. */
export function statusLine(input: OutcomeInput): string | null {
  const { names, troubles, remarks } = input;
  if (names.length + troubles.length === 0) return null;
  const { state, message } = settledFacts(input);
  if (state === "Ready" && remarks.length === 0) return null;
  return cut(`${state}: ${message}`);
}

/** State and cause, for the conditions of an object. */
export function outcomeFacts(input: OutcomeInput): StateFacts {
  const { names, troubles, isAwaited } = input;
  if (troubles.length === 0 && (isAwaited || isInProgress(input)))
    return { state: "Pending", message: UNDER_WAY, ...NO_CAUSE };
  if (names.length === 0 && troubles.length === 0)
    return { state: "Ready", message: "it has no name to publish", ...NO_CAUSE };
  const facts = settledFacts(input);
  return { ...facts, message: cut(facts.message) };
}

function settledFacts(input: OutcomeInput): StateFacts {
  const { names, troubles, remarks, code, isMistake } = input;
  const shown = names.flatMap((name) => reportedState(name) ?? []);
  const states = new Set([...shown.map(({ state }) => state), ...troubles.map(() => "Error")]);
  const state = STATES.find((one) => states.has(one)) ?? "Pending";
  const cause = troubles.length > 0 ? code : shown.find((one) => one.state === state)?.code;
  const published = names.filter(({ isPublished }) => isPublished === true).length;
  const count = published === names.length ? `${published}` : `${published} of ${names.length}`;
  const noun = names.length === 1 ? "name" : "names";
  const counted = names.length === 0 ? [] : [`${count} ${noun} published`];
  // `isPublished` null = the record may be in the zone.
  const isKept = names.some((one) => one.state === "held" && one.isPublished !== false);
  const keepsRecords = !input.isComplete && (input.hasUnlisted || isKept);
  const stays = keepsRecords ? ["what was published before stays"] : [];
  const all = [...counted, ...troubles, ...troublesOf(names), ...stays, ...remarks];
  return { state, message: all.join("; "), code: cause ?? null, isMistake };
}

function cut(line: string): string {
  return line.length > LINE_MAX ? `${line.slice(0, LINE_MAX - 1)}…` : line;
}

/** Codes that the object's own troubles, or an Event of its former entries, already report. */
const REPORTED_BEFORE: readonly (string | null)[] = [
  "SourceIncomplete",
  "Unresolved",
  "EntryExists",
];

/** `name: message` for each held or failed name, but not where it is reported before. */
export function troublesOf(names: readonly NameReport[]): readonly string[] {
  return names
    .filter(
      ({ state, code }) =>
        state === "failed" || (state === "held" && !REPORTED_BEFORE.includes(code)),
    )
    .map(({ name, message }) => `${name}: ${message}`)
    .sort(compareText);
}

/** The Event that all names are published. */
export function publishedNote(names: readonly NameReport[]): Omit<EventNote, "reason"> {
  const all = names.map(({ name }) => name).sort(compareText);
  const more = all.length > NAMES_MAX ? ` and ${all.length - NAMES_MAX} more` : "";
  return { type: "Normal", message: `published: ${all.slice(0, NAMES_MAX).join(", ")}${more}` };
}
