/**
 * Which owner ids the DNSOwner objects of a cluster switch on, and what their statuses say (ADR
 * 0050). An owner id marks records as ours; while a further one is on, its records are published
 * and removed, too. A DNSOwner may make that depend on a time or on a TXT record (activation).
 * Pure: the caller looks records up.
 */
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { isOwnerId, OWNER_ID_FORM } from "../../model/object-annotations.ts";

/** The spec of one DNSOwner. */
export interface OwnerSpec {
  readonly ownerId: string;
  readonly active: boolean;
  /** Unix milliseconds; null = for ever. */
  readonly validUntilMs: number | null;
  /** Null = no record switches it. */
  readonly activation: Activation | null;
}

/** A TXT record that says where the id is on. */
export interface Activation {
  readonly dnsName: DnsName;
  readonly value: string;
}

/** The present answer of the name of an activation; null = nothing was answered yet. */
export type TextsAt = (name: DnsName) => readonly string[] | null;

/** The decision about a DNSOwner. */
export interface OwnerVerdict {
  /** Null = the DNSOwner names no valid id, or another DNSOwner or --owner decides about it. */
  readonly ownerId: string | null;
  /** True = the id is on, false = off; null = not known yet: it stays as it is. */
  readonly isActive: boolean | null;
  /** For people; empty = nothing is to be said. */
  readonly message: string;
  /** Milliseconds until the answer changes by itself; null = it does not. */
  readonly changesInMs: number | null;
}

/** The facts that a decision rests on besides the object. */
export interface OwnerFacts {
  /** The id of --owner, which is always on. */
  readonly mainOwner: string;
  readonly clusterId: string;
  readonly nowMs: number;
  readonly textsAt: TextsAt;
  /** Why the name of an activation could not be looked up last; null = it could. */
  readonly troubleAt: (name: DnsName) => string | null;
  /**
   * The owner id that the status of the DNSOwner of this name was written for; null = its present
   * one.
   */
  readonly shownId: (name: string) => string | null;
  /** All DNSOwners of the class that are not being deleted. */
  readonly all: readonly KubeObject[];
}

/** The verdict on one DNSOwner that is not being deleted. */
export function decideOwner(object: KubeObject, facts: OwnerFacts): OwnerVerdict {
  const spec = readOwnerSpec(object, facts.clusterId);
  if (typeof spec === "string") return off(null, spec);
  const { ownerId } = spec;
  if (ownerId === facts.mainOwner) {
    const kept = spec.active ? "" : ", and spec.active cannot switch it off";
    const message = `"${ownerId}" is the owner id of this installation (--owner): it is always on${kept}`;
    return { ...off(null, message), isActive: true };
  }
  const first = firstOf(ownerId, facts);
  if (first !== null && first.metadata.name !== object.metadata.name)
    return off(
      null,
      `spec.ownerId: the DNSOwner ${first.metadata.name} has the owner id "${ownerId}" and decides; delete one of the two`,
    );
  const { active } = fieldsOf(object["status"]);
  const isAbout = (facts.shownId(object.metadata.name) ?? ownerId) === ownerId;
  // clause: answer-is-about-this-id
  return switchOf(spec, facts, isAbout && typeof active === "boolean" ? active : null);
}

/** The DNSOwner that decides about the id: the oldest valid one. */
function firstOf(ownerId: string, { all, clusterId }: OwnerFacts): KubeObject | null {
  const same = all.filter((one) => {
    const spec = readOwnerSpec(one, clusterId);
    // clause: unreadable-dnsowner-decides-nothing
    return typeof spec !== "string" && spec.ownerId === ownerId;
  });
  const ageOf = ({ metadata }: KubeObject): string =>
    `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  const [first = null] = [...same].sort((a, b) =>
    /* clause: older-dnsowner-decides */ ageOf(a) < ageOf(b) ? -1 : 1,
  );
  return first;
}

/**
 * `last`: whether the id was on by the last verdict, also of a former process; null = not known.
 */
function switchOf(
  spec: OwnerSpec,
  { nowMs, textsAt, troubleAt }: OwnerFacts,
  last: boolean | null,
): OwnerVerdict {
  const { ownerId, active, validUntilMs, activation } = spec;
  if (!active) return off(ownerId, "off: spec.active is false");
  if (validUntilMs !== null && /* clause: valid-until-ends-dnsowner */ nowMs >= validUntilMs)
    return off(ownerId, "off: spec.validUntil is over; write a later time to switch it on again");
  const left = validUntilMs === null ? null : validUntilMs - nowMs;
  const on = { ownerId, isActive: true, message: "", changesInMs: left };
  if (activation === null) return on;
  const texts = textsAt(activation.dnsName);
  const trouble = troubleAt(activation.dnsName);
  if (texts === null) return { ...on, ...unanswered(activation, last, trouble) };
  const why = whyInactive(activation, texts);
  const unread = trouble === null ? [] : [unreadText(activation, trouble)];
  return {
    ...on,
    isActive: why === "",
    message: [...(why === "" ? [] : [why]), ...unread].join("; "),
  };
}

/** While the resolver has not answered, the id stays as it was (Z-31). */
function unanswered(
  activation: Activation,
  last: boolean | null,
  trouble: string | null,
): Pick<OwnerVerdict, "isActive" | "message"> {
  const stays = trouble === null ? "" : unreadText(activation, trouble);
  const why = trouble === null ? "" : `: ${trouble}`;
  const notYet = `off: ${UNREAD}${activation.dnsName} of spec.dnsActivation was not read yet${why}`;
  // clause: unanswered-resolver-keeps-state
  return { isActive: last, message: last === true ? stays : notYet };
}

/** Begins the messages about a failed look-up; the controller tells them by it. */
export const UNREAD = "the TXT record ";

function unreadText({ dnsName }: Activation, trouble: string): string {
  return `${UNREAD}${dnsName} of spec.dnsActivation cannot be looked up: ${trouble}; what it said last counts`;
}

/** Why the TXT record switches the id off; empty = it is on. */
function whyInactive({ dnsName, value }: Activation, texts: readonly string[]): string {
  if (texts.length === 1 && /* clause: other-text-is-off */ texts[0] === value) return "";
  const shown = texts.length === 0 ? "does not exist" : `says ${texts.map(quoted).join(" ")}`;
  return `off: the TXT record ${dnsName} of spec.dnsActivation ${shown}; it is on while it says ${quoted(value)}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

function off(ownerId: string | null, message: string): OwnerVerdict {
  return { ownerId, isActive: false, message, changesInMs: null };
}

/** A text = why it cannot be read. */
export function readOwnerSpec(object: KubeObject, clusterId: string): OwnerSpec | string {
  const spec = fieldsOf(object["spec"]);
  const ownerId = textOf(spec["ownerId"])?.trim() ?? "";
  if (!isOwnerId(ownerId)) return `spec.ownerId: ${OWNER_ID_FORM}`;
  const validUntil = textOf(spec["validUntil"]);
  const validUntilMs = validUntil === null ? null : Date.parse(validUntil);
  if (Number.isNaN(validUntilMs))
    return "spec.validUntil: write a time such as 2030-01-31T00:00:00Z";
  const activation = readActivation(spec["dnsActivation"], clusterId);
  if (typeof activation === "string") return activation;
  return { ownerId, active: spec["active"] !== false, validUntilMs, activation };
}

function readActivation(given: unknown, clusterId: string): Activation | string | null {
  if (given === undefined || given === null) return null;
  const fields = fieldsOf(given);
  const name = parseDnsName(textOf(fields["dnsName"]) ?? "");
  if (!name.ok) return "spec.dnsActivation.dnsName: write the name of a TXT record";
  return { dnsName: name.value, value: textOf(fields["value"]) ?? clusterId };
}
