/**
 * Makes the Events of a source object (such as a Service) about its names and generated entries:
 * one for each new message (Gardener's reason `dns-annotation`, text `<dnsname>: <message>`).
 * Remembers the last message of each subject, so that none is repeated; reads and writes no
 * cluster.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, namespacedName, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { EventNote } from "@zonekeeper/kube/ports/cluster-writer";
import { classOf, type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found } from "../../sources/source.ts";
import type { LeftEntry } from "./entry-signs.ts";
import { dnsNameOf } from "./renamed-entries.ts";

const REASON = "dns-annotation";

/** The last message about each subject of one object. */
export class SourceEvents {
  readonly #lastMessages = new Map<string, string>();
  readonly #served: DnsClasses | null;

  /** `served`: classes of the entries that this process publishes; null = another process does. */
  constructor(served: DnsClasses | null = null) {
    this.#served = served;
  }

  /**
   * Events of new problems and of names that begin to wait for an address; forgets those that have
   * ended. `hasEntries`: true = something of the object may be published.
   */
  aboutFound(found: Found<DesiredRecordSet>, hasEntries: boolean): readonly EventNote[] {
    const troubles = new Map(
      found.problems.map(({ subject, message, field }) => [
        subject,
        field === undefined ? message : `${message} (${field})`,
      ]),
    );
    for (const { name, reason } of found.waiting)
      if (reason === "NoTargets" && !troubles.has(name))
        troubles.set(name, hasEntries ? LOST_TARGETS : NO_TARGETS);
    for (const subject of [...this.#lastMessages.keys()])
      if (subject.startsWith("found ") && !troubles.has(subject.slice(6)))
        this.#lastMessages.delete(subject);
    return [...troubles].flatMap(([subject, message]) => {
      const isWait = message === NO_TARGETS || message === LOST_TARGETS;
      return this.#note(`found ${subject}`, note(isWait, subject, message));
    });
  }

  /** An entry was created: from now on it gives an Event when it is Ready, however soon that is. */
  aboutCreated(entry: KubeObject, message: string): readonly EventNote[] {
    this.#lastMessages.set(`entry ${entry.metadata.name}`, "");
    return this.aboutWrite(entry, message, true);
  }

  /** An entry was written, or could not be; an empty message gives no Event. */
  aboutWrite(entry: KubeObject, message: string, isFine: boolean): readonly EventNote[] {
    if (message === "") return [];
    const event = note(isFine, dnsNameOf(entry), message);
    return isFine ? [event] : this.#note(`write ${entry.metadata.name}`, event);
  }

  /** An entry of the object that this program neither changes nor deletes (Z-25). */
  aboutLeft({ entry, why }: LeftEntry, source: keyof typeof REMEDIES): readonly EventNote[] {
    const { name, namespace = "" } = entry.metadata;
    const left = `the dns entry object ${namespace}/${name} is left as it is`;
    const text = `${left}: ${why}; ${REMEDIES[source]}`;
    return this.#note(`left ${name}`, note(false, dnsNameOf(entry), text));
  }

  /** The state of an entry. One that is Ready when it is first seen (a restart) gives no Event. */
  aboutEntry(entry: KubeObject): readonly EventNote[] {
    const subject = `entry ${entry.metadata.name}`;
    // An entry of ours that another process moved into its main class.
    if (this.#served !== null && !isOfClass(entry, this.#served)) {
      const dnsClass = classOf(entry);
      const message = `the dns entry object ${namespacedName(entry)} was taken into class ${dnsClass} by another process, which publishes it; if none serves class ${dnsClass} any more, give it class ${this.#served[0]} again`;
      return this.#note(subject, note(false, dnsNameOf(entry), message));
    }
    const status = fieldsOf(entry["status"]);
    const state = textOf(status["state"]) ?? "";
    const text = stateText(state, textOf(status["message"]));
    if (text === null) {
      this.#lastMessages.set(subject, "");
      return [];
    }
    // clause: first-message-is-an-event
    const isFirst = !this.#lastMessages.has(subject);
    const notes = this.#note(subject, note(state === "Ready", dnsNameOf(entry), text));
    return isFirst && state === "Ready" ? [] : notes;
  }

  #note(subject: string, event: EventNote): readonly EventNote[] {
    if (this.#lastMessages.get(subject) === event.message) return [];
    this.#lastMessages.set(subject, event.message);
    return [event];
  }
}

/**
 * Decides what to do about an entry that is left as it is, by the state of its source object:
 * `gone`, it has `entries`, or it is published `direct`ly.
 */
const REMEDIES = {
  gone: "the object that it is for is gone: delete it if it is not needed",
  entries: "delete it to have one made that follows this object",
  direct: "delete it to have the name published by this object itself",
} as const;

const NO_TARGETS = "no address yet: the load balancer has none";
const LOST_TARGETS =
  "no address now: the load balancer has none; published records stay as they are";

/** Why an entry cannot be made in the target cluster. */
export function noNamespaceText({ metadata: { namespace } }: KubeObject): string {
  return `there is no namespace ${namespace} in the target cluster: create it there, or give --target-namespace; it is tried again until then`;
}

/** Why an entry cannot be made under its name. */
export function takenText(entry: KubeObject): string {
  return `the dns entry object ${namespacedName(entry)} exists and belongs to another object; rename or delete it`;
}

/** Why the entry does not follow: two programs change it in turn. */
export function undoneText(entry: KubeObject): string {
  return `the dns entry object ${namespacedName(entry)} is changed back by another program each time, and is left as it is for a while: make entries of one class by one program alone, or give both the same options (--target-owner-id, --target-realms, --target-set-ignore-owners)`;
}

/**
 * Why the entry of a name does not follow its object: it has another class than it would get now.
 */
export function otherClassText(present: KubeObject, wanted: KubeObject): string {
  const [has, wants] = [classOf(present), classOf(wanted)];
  return `the dns entry object ${namespacedName(present)} of this object is of class ${has}, and ${wants} is wanted: it is left as it is and does not follow; give it class ${wants} again, or delete it`;
}

function note(isFine: boolean, subject: string, message: string): EventNote {
  return { type: isFine ? "Normal" : "Warning", reason: REASON, message: `${subject}: ${message}` };
}

/**
 * Gardener's texts, spelling ("errorneous") included: its tools match them; null = the entry is not
 * processed yet.
 */
function stateText(state: string, message: string | null): string | null {
  const detail = message === null ? "" : `: ${message}`;
  switch (state) {
    case "Ready":
      return message ?? "dns entry active";
    case "Error":
    case "Stale":
      return `errorneous dns entry${detail}`;
    case "Invalid":
      return `dns entry invalid${detail}`;
    default:
      return null;
  }
}
