/**
 * Writes the status of a DNSEntry (the original) that this program copies to another cluster or
 * class: it is the status of the copy, so that the author of the original sees what became of it
 * (Gardener external-dns-management, `dnsentry-source`).
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import { type KindRef, type KubeObject, refOf } from "@zonekeeper/kube/objects/kubernetes";
import {
  type Fields,
  fieldsOf,
  namespacedName,
  numberOf,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { type ConditionSpec, conditionIn } from "../../controllers/objects/conditions.ts";
import type { StateCause } from "../../controllers/objects/state-conditions.ts";
import { ENTRY_PACE, StatusPace } from "../../controllers/objects/status-pace.ts";
import { ConditionsSupport } from "../../controllers/objects/status-patch.ts";
import { mistakeOf } from "../../gardener/dns-entry/decide-entry.ts";
import { type EntryStatus, readStatus } from "../../gardener/dns-entry/entry.ts";
import { type DecidedStatus, entryStatusPatch } from "../../gardener/dns-entry/entry-status.ts";
import { classOf } from "../../model/dns-class.ts";
import { isRenamed } from "../../model/generated-entries.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found } from "../../sources/source.ts";
import { isStatusOfOthers } from "./copy-origins.ts";
import type { LeftEntry } from "./entry-signs.ts";
import type { EntriesPlan } from "./plan-entries.ts";

/** Everything that it is written with. */
export interface CarriedStatusPorts {
  /** Belongs to the source cluster. */
  readonly writer: Pick<ClusterWriter, "patchStatus">;
  readonly clock: Clock;
  readonly kind: KindRef;
}

/** The known facts of one original. */
export interface Carried {
  readonly object: KubeObject;
  /** The record sets that the original lists. */
  readonly found: Found<DesiredRecordSet>;
  /**
   * Its copy in the target cluster, if it is as desired; null = there is none, or it is about to
   * change.
   */
  readonly copy: KubeObject | null;
  /** Copies that others have changed: this program neither changes nor deletes them (Z-25). */
  readonly left: readonly LeftEntry[];
  /** Why no copy could be made just now. */
  readonly refused: readonly string[];
}

/** For all objects of one source. */
export class CarriedStatus {
  readonly #ports: CarriedStatusPorts;
  readonly #conditions = new ConditionsSupport();
  readonly #pace: StatusPace;

  constructor(ports: CarriedStatusPorts) {
    this.#ports = ports;
    this.#pace = new StatusPace(ports.clock, ENTRY_PACE);
  }

  /**
   * Writes only what differs; throws as the writer does. Answers the milliseconds after which to
   * show it again, where the status is overwritten too often (another process copies the same
   * original); 0 = not needed.
   */
  async show(carried: Carried): Promise<number> {
    const { writer, clock, kind } = this.#ports;
    const { object } = carried;
    const decided = decide(carried);
    if (decided === null) return 0;
    const { keepsConditions } = this.#conditions;
    const patch = entryStatusPatch(object, decided, { nowMs: clock.nowMs(), keepsConditions });
    if (patch === null) return 0;
    const { uid, generation } = object.metadata;
    const [id, version] = [namespacedName(object), `${uid}/${generation}`];
    const waitMs = this.#pace.waitMs(id, version);
    // clause: carried-status-is-paced
    if (waitMs > 0) return waitMs;
    this.#conditions.wrote(patch, await writer.patchStatus(refOf(kind, object), patch));
    this.#pace.wrote(id, version);
    return 0;
  }
}

/** The status to show; null = the stored one stays. */
function decide(carried: Carried): DecidedStatus | null {
  const { object, found, copy, left } = carried;
  if (isStatusOfOthers(object, found)) return null;
  const observedGeneration = object.metadata.generation ?? 0;
  if (found.problems.length > 0 && found.items.length === 0) {
    const { message, code = null } = mistakeOf(found);
    // clause: copy-with-mistake-is-stale
    const state = copy === null ? "Invalid" : "Stale";
    const status = { ...readStatus(object), state, message, observedGeneration };
    return { status, cause: { code, isMistake: true }, live: null };
  }
  if (copy !== null) return ofCopy(copy, observedGeneration) ?? ofNewCopy(object, copy);
  return ofLeft(left, observedGeneration) ?? ofNone(carried, observedGeneration);
}

function ofCopy(copy: KubeObject, observedGeneration: number): DecidedStatus | null {
  // clause: undecided-copy-is-not-shown
  if (!isDecided(copy)) return null;
  // clause: carried-generation-is-of-original
  const status = { ...remoteStatus(copy), observedGeneration };
  const shown = fieldsOf(copy["status"]);
  return { status, cause: causeIn(shown), live: liveIn(shown) };
}

/** The condition Live of the copy; null = it has none. */
function liveIn(shown: Fields): ConditionSpec | null {
  const { status, reason, message } = conditionIn(shown, "Live") ?? {};
  if (status !== "True" && status !== "False" && status !== "Unknown") return null;
  return { type: "Live", status, reason: textOf(reason) ?? "", message: textOf(message) ?? "" };
}

/**
 * The copy is new and not published yet, where the original still shows that there was none; else
 * null.
 */
function ofNewCopy(object: KubeObject, copy: KubeObject): DecidedStatus | null {
  const { code } = causeIn(fieldsOf(object["status"]));
  if (code !== "NotCopied" && code !== "CopyChanged") return null;
  const { namespace, name } = copy.metadata;
  const message = `its copy ${namespace}/${name} is not published yet`;
  const status = { ...readStatus(object), state: "Pending", message };
  return { status, cause: { code: null, isMistake: false }, live: null };
}

/** Others changed the copy: what is published is what the copy says, not what the original says. */
function ofLeft([left]: readonly LeftEntry[], observedGeneration: number): DecidedStatus | null {
  if (left === undefined) return null;
  const { namespace, name } = left.entry.metadata;
  const status = remoteStatus(left.entry);
  const state = (status.targets ?? []).length > 0 ? "Stale" : "Error";
  const message = `its copy ${namespace}/${name} does not follow it: ${left.why}; delete the copy to have one made that does`;
  const cause = { code: "CopyChanged", isMistake: false };
  return { status: { ...status, state, message, observedGeneration }, cause, live: null };
}

/** There is no copy: why. */
function ofNone(carried: Carried, observedGeneration: number): DecidedStatus | null {
  const { object, refused } = carried;
  const [message] = refused;
  const ended = ofEnded(carried, observedGeneration);
  // clause: copy-trouble-is-reported
  if (ended !== null || message === undefined) return ended;
  const status = readStatus(object);
  const state = (status.targets ?? []).length > 0 ? "Stale" : "Error";
  const cause = { code: "NotCopied", isMistake: false };
  return { status: { ...status, state, message, observedGeneration }, cause, live: null };
}

/** The copy is deleted and the original exists: it got a class that this process does not copy. */
function ofEnded({ object, found }: Carried, observedGeneration: number): DecidedStatus | null {
  const { metadata } = object;
  const present = readStatus(object);
  const isWithout = found.complete && found.items.length + found.waiting.length === 0;
  const isAlive = metadata.deletionTimestamp === undefined;
  if (!isWithout || !isAlive || present.state !== "Deleting") return null;
  const dnsClass = classOf(object);
  const message = `its class is ${dnsClass}, and the program that copied it does not copy that class: its copy is deleted, and its records with it; give it its former class again, or start a program for class ${dnsClass}`;
  const shown = { state: "Error", message };
  const nothing = { provider: null, providerType: null, zone: null, ttl: null, targets: null };
  const cause = { code: "NotSelected", isMistake: false };
  return { status: { ...present, ...nothing, ...shown, observedGeneration }, cause, live: null };
}

function remoteStatus(copy: KubeObject): EntryStatus {
  const status = readStatus(copy);
  // clause: remote-provider-is-named
  const provider = status.provider === null ? null : `remote: ${status.provider}`;
  return { ...status, provider };
}

function causeIn(status: Fields): StateCause {
  const isMistake = conditionIn(status, "Stalled")?.["status"] === "True";
  return { code: textOf(conditionIn(status, "Ready")?.["reason"]), isMistake };
}

/** True = the status of the copy is about its present spec. */
function isDecided({ metadata, status }: KubeObject): boolean {
  const { state, observedGeneration } = fieldsOf(status);
  return (
    (textOf(state) ?? "") !== "" && numberOf(observedGeneration) === (metadata.generation ?? 0)
  );
}

/**
 * The copy of an object; null = none, or it is about to change. The copy of a name that the
 * original no longer lists (renamed) does not count, unless the original is itself a renamed copy.
 */
export function copyIn(
  object: KubeObject,
  own: readonly KubeObject[],
  { change, remove }: EntriesPlan,
): KubeObject | null {
  const changing = new Set([...change.map(({ entry }) => entry), ...remove]);
  const isFormer = (entry: KubeObject): boolean => isRenamed(entry) && !isRenamed(object);
  return own.find((entry) => !changing.has(entry) && !isFormer(entry)) ?? null;
}
