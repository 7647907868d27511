/** Building what a source found. Pure; keeps the documented order. */
import { compareText } from "@zonekeeper/base/compare-text";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { createdAtMs } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { Provenance } from "../../model/provenance.ts";
import {
  compareKeys,
  type DesiredRecordSet,
  MERGED_TYPES,
  type PolicyMember,
  partOf,
} from "../../model/record-set.ts";
import type { TransferRequest } from "../../model/transfer-request.ts";
import { type Found, objectTransferOf, type Waiting } from "../source.ts";
import { LOOKUP_SECONDS } from "./lookup-request.ts";
import type { TypedValues } from "./targets.ts";

/** What all record sets of one object have in common. */
export interface SetOrigin {
  readonly object: KubeObject;
  readonly provenance: Provenance;
  /** Seconds; null = no wish. */
  readonly ttlSeconds: number | null;
  /** The policy that all of them are members of; absent or null = none. */
  readonly member?: PolicyMember | null;
  /** Absent = none. */
  readonly properties?: Readonly<Record<string, string>>;
  /** What the object says about handing its records over; absent = nothing. */
  readonly transfer?: TransferRequest;
  /** Seconds between look-ups of host names; absent = the default. */
  readonly lookupSeconds?: number;
}

const NO_PROPERTIES: NonNullable<SetOrigin["properties"]> = Object.freeze({});

/** The record sets of one name. */
export function desiredSets(
  name: DnsName,
  typed: readonly TypedValues[],
  origin: SetOrigin,
): readonly DesiredRecordSet[] {
  return typed.map(({ type, values, isLookedUp }) => ({
    name,
    type,
    ttlSeconds: origin.ttlSeconds,
    values,
    properties: origin.properties ?? NO_PROPERTIES,
    ...memberOf(origin, isLookedUp === true ? "A" : type),
    provenance: origin.provenance,
    owner: null,
    createdAtMs: createdAtMs(origin.object),
    ...(origin.transfer === undefined ? {} : { transfer: origin.transfer }),
    ...(isLookedUp === true
      ? { lookup: { intervalSeconds: origin.lookupSeconds ?? LOOKUP_SECONDS } }
      : {}),
  }));
}

/** The policy that the object gives the record set, else its part of a merged one. */
function memberOf({ member, transfer, provenance }: SetOrigin, type: string) {
  if (member) return member;
  if (transfer?.merge === true && MERGED_TYPES.has(type)) return partOf(provenance);
  return { setIdentifier: null, routingPolicy: null };
}

/** Each name waits for the same reason. */
export function waitingFor(names: readonly DnsName[], reason: string): readonly Waiting[] {
  return names.map((name) => ({ name, reason }));
}

/** Why names wait while a problem of their object lasts (`plan/hold-reasons.ts`). */
export const PROBLEM_WAIT = "SourceIncomplete";

/** Whether it lists a name, published or not. */
export function listsNames({ items, waiting }: Found<DesiredRecordSet>): boolean {
  return /* clause: mistake-needs-a-name */ items.length > 0 || waiting.length > 0;
}

/** Items sorted by key, waiting sorted by name. */
export function sortedFound(found: Found<DesiredRecordSet>): Found<DesiredRecordSet> {
  return {
    ...found,
    items: [...found.items].sort(compareKeys),
    waiting: [...found.waiting].sort((a, b) => compareText(a.name, b.name)),
  };
}

/**
 * Its names wait instead of being published, because of these problems: what is published stays, of
 * names taken off, too.
 */
export function heldItems(
  found: Found<DesiredRecordSet>,
  ...problems: readonly Problem[]
): Found<DesiredRecordSet> {
  const objectTransfer = objectTransferOf(found);
  const names = new Map(found.items.map(({ name, provenance }) => [name, provenance]));
  const waiting = [...names].map(
    ([name, provenance]): Waiting => ({ name, reason: PROBLEM_WAIT, provenance }),
  );
  return {
    ...found,
    items: [],
    waiting: [...found.waiting, ...waiting],
    problems: [...found.problems, ...problems],
    complete: false,
    ...(objectTransfer === null ? {} : { objectTransfer }),
  };
}
