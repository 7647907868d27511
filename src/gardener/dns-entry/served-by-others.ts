/**
 * Whether a DNSEntry belongs to others: to controllers of another class, or to another process of
 * the same class, which serves other types of DNSProviders (`--provider-types`).
 * `status.providerType` says whose it is, as in Gardener's manager. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { classOf, isFinalizer } from "../../model/dns-class.ts";
import type { Entry } from "./entry.ts";
import type { EntryContext } from "./entry-context.ts";

/** True = the other process publishes the entry, and writes its status and finalizer. */
export function isOfOtherType(context: EntryContext): boolean {
  const { entry, selection, statusProvider, providerTypes } = context;
  if (providerTypes === null) return false;
  // clause: status-names-other-type
  if (statusProvider === "other-type") return true;
  // clause: served-entry-is-of-this-type
  if (HAS_ZONE.has(selection.kind)) return false;
  const { providerType } = entry.status;
  if (providerType !== null)
    return /* clause: missing-provider-keeps-entry */ !providerTypes.has(providerType);
  return /* clause: unserved-name-is-of-others */ isForOthersToTell(context);
}

const HAS_ZONE: ReadonlySet<string> = new Set(["zone", "throttled", "full"]);

/**
 * True = this process keeps silent about a name that it cannot serve. It does not about a mistake
 * in the spec or a deletion, where all processes write the same, nor where one of its own
 * DNSProviders is responsible and not valid.
 */
function isForOthersToTell({ entry, found, selection }: EntryContext): boolean {
  if (
    entry.deletingSinceMs !== null ||
    /* clause: each-process-reports-mistakes */ found.items.length === 0
  )
    return false;
  return /* clause: invalid-provider-is-reported */ selection.kind !== "invalid";
}

/** True = controllers of another class have set their finalizer: they write its status. */
export function isServedByOthers({ object, finalizers }: Entry): boolean {
  const present = object.metadata.finalizers ?? [];
  return present.some((one) => isFinalizer(one) && !finalizers.includes(one));
}

/** The message of its status until controllers of its class write another one. */
export function leftText(object: KubeObject): string {
  return `its class is ${classOf(object)}, and the program that published it does not serve that class: its records stay as they are; give it its former class again, or start a program for class ${classOf(object)}`;
}
