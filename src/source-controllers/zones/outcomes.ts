/**
 * Remembers, for each object that is published directly, what was read of it and which texts were
 * reported, and records Events for what is new. Answers what its status and annotation are to say.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { EventNote, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import { isSameList } from "../../controllers/objects/last-found.ts";
import { NO_CAUSE, type StateFacts } from "../../controllers/objects/state-conditions.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { ContributionReport, NameReport } from "../../sync/contract/contribution.ts";
import { type ZoneKey, zoneKeyText } from "../../sync/contract/zone.ts";
import {
  isInProgress,
  type ObjectTrouble,
  type OutcomeInput,
  outcomeFacts,
  publishedNote,
  statusLine,
  troublesOf,
} from "./outcome.ts";

/** Where Events are recorded, and their reasons. */
export interface OutcomesOptions {
  readonly recorder: EventRecorder;
  /** Reason of the Events. */
  readonly reason: string;
  /** Reasons by which other programs know some Events; absent = all Events have `reason`. */
  readonly knownReasons?: { readonly published: string; readonly trouble: string } | undefined;
  /**
   * Whether a zone is open: a report of a zone that is closed, and serves no name of the object
   * now, is ignored.
   */
  readonly isOpen: (zone: ZoneKey) => boolean;
}

/** The last report of each zone that an object contributes to. */
type Reports = readonly ContributionReport[];

interface Known {
  object: ObjectTrouble;
  /** The object lists names. */
  hasNames: boolean;
  /** The generation that was read last, and the zones of its names: these must report on it. */
  expected: { readonly generation: number; readonly zones: readonly string[] };
  /** The last text of each subject, so that no Event is repeated; empty = none. */
  readonly texts: Record<"object" | "zone", string>;
  /**
   * True = it was made or changed while this process watched: an Event says when it is published.
   */
  isNews: boolean;
  /** True = its zones have reported that no change is under way. */
  isAnswered: boolean;
}

/** Keys are `namespace/name`. */
export class Outcomes {
  readonly #options: OutcomesOptions;
  readonly #known = new Map<string, Known>();
  /** The zones of the object that was read last; most objects share the list. */
  #zones: readonly string[] = [];

  constructor(options: OutcomesOptions) {
    this.#options = options;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }

  /** The object was made or changed while we watched. */
  changed(key: string): void {
    this.#of(key).isNews = true;
  }

  /** The object was read: stores its troubles, and records an Event where they are new. */
  read(key: string, object: KubeObject, { zones, hasNames, ...trouble }: ReadObject): void {
    const known = this.#of(key);
    known.object = isSameJson(trouble, FINE) ? FINE : trouble;
    known.hasNames = hasNames;
    if (!isSameList(zones, this.#zones)) this.#zones = zones;
    known.expected = { generation: object.metadata.generation ?? 0, zones: this.#zones };
    const all = [...trouble.troubles, ...trouble.remarks].sort();
    this.#warn(known, "object", { object, text: all.join("; ") });
  }

  /**
   * A zone has reported: once no change is under way, records an Event on troubles, or on success.
   */
  reported(key: string, object: KubeObject, reports: Reports): void {
    const known = this.#of(key);
    const input = this.#inputOf(known, reports);
    if (isInProgress(input)) return;
    known.isAnswered = true;
    const troubles = troublesOf(input.names);
    const hadTrouble = known.texts.zone !== "";
    this.#warn(known, "zone", { object, text: troubles.join("; "), names: input.names });
    const isPublished =
      troubles.length === 0 && input.names.every(({ state }) => state === "published");
    if (!isPublished || input.names.length === 0) return;
    if (known.isNews || hadTrouble)
      this.#record(object, publishedNote(input.names), this.#options.knownReasons?.published);
    known.isNews = false;
  }

  /**
   * Whether anything has happened to the object since a list showed it first: it changed, or its
   * zones have answered.
   */
  hasMoved(key: string): boolean {
    const { isNews, isAnswered } = this.#of(key);
    return isNews || isAnswered;
  }

  /**
   * The line of the annotation; undefined = a change is in progress; null = no annotation is
   * needed.
   */
  lineOf(key: string, reports: Reports): string | null | undefined {
    const input = this.#inputOf(this.#of(key), reports);
    return input.isAwaited || isInProgress(input) ? undefined : statusLine(input);
  }

  /** State and cause, for the conditions of the object. */
  factsOf(key: string, reports: Reports): StateFacts {
    return outcomeFacts(this.#inputOf(this.#of(key), reports));
  }

  #inputOf({ object, hasNames, expected }: Known, reports: Reports): OutcomeInput {
    const { zones, generation } = expected;
    // Before the DNSProviders are known, no zone serves its names: the object waits.
    const isUnassigned = hasNames && zones.length === 0 && object.troubles.length === 0;
    const last = new Map(reports.map((report) => [zoneKeyText(report.zone), report]));
    const isLate = (zone: string): boolean => (last.get(zone)?.generation ?? -1) < generation;
    const isAwaited = isUnassigned || zones.some(isLate);
    const counted = reports.filter(
      ({ zone }) => zones.includes(zoneKeyText(zone)) || this.#options.isOpen(zone),
    );
    return { ...object, names: counted.flatMap(({ names }) => names), isAwaited };
  }

  #of(key: string): Known {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made: Known = {
      object: FINE,
      hasNames: false,
      expected: { generation: 0, zones: [] },
      texts: { object: "", zone: "" },
      isNews: false,
      isAnswered: false,
    };
    this.#known.set(key, made);
    return made;
  }

  #warn(known: Known, about: "object" | "zone", { object, text, names = [] }: Trouble): void {
    if (known.texts[about] === text) return;
    known.texts[about] = text;
    // That a load balancer has no address yet is no mistake.
    const held = names.filter(({ state }) => state === "held" || state === "failed");
    const isWaiting = held.length > 0 && held.every(({ code }) => code === "NoTargets");
    if (text === "") return;
    if (isWaiting) this.#record(object, { type: "Normal", message: text });
    else
      this.#record(object, { type: "Warning", message: text }, this.#options.knownReasons?.trouble);
  }

  #record(
    object: KubeObject,
    note: Omit<EventNote, "reason">,
    reason = this.#options.reason,
  ): void {
    this.#options.recorder.record(object, { ...note, reason });
  }
}

/** The facts that are known of an object once it was read. */
export interface ReadObject extends ObjectTrouble {
  /** Zones that its names are in. */
  readonly zones: readonly string[];
  /** It lists names, in whatever zone. */
  readonly hasNames: boolean;
}

/** Shared by the objects without troubles, and the value before an object is read. */
const FINE: ObjectTrouble = {
  ...{ troubles: [], remarks: [], isComplete: true, hasUnlisted: false },
  ...NO_CAUSE,
};

interface Trouble {
  readonly object: KubeObject;
  /** Empty = nothing is wrong any more. */
  readonly text: string;
  readonly names?: readonly NameReport[];
}
