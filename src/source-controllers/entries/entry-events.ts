/**
 * What a source object is told about its names: one Event for each message that is new (Gardener's
 * reason `dns-annotation`, text `<dnsname>: <message>`). Remembers what was said last; knows no
 * cluster.
 */
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf, textOf } from "../../model/object-fields.ts";
import type { Problem } from "../../model/problem.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { EventNote } from "../../ports/cluster-writer.ts";
import type { Found } from "../../sources/source.ts";
import { dnsNameOf } from "./plan-entries.ts";

const REASON = "dns-annotation";

/** The last message about each subject of one object. */
export class SaidEvents {
  readonly #said = new Map<string, string>();

  /**
   * Events of problems and waiting names that were not said before; forgets what is no trouble any
   * more.
   */
  aboutFound(found: Found<DesiredRecordSet>): readonly EventNote[] {
    const troubles = new Map(found.problems.map((it) => [it.subject, textOfProblem(it)]));
    for (const { name, reason } of found.waiting)
      if (reason === "NoTargets" && !troubles.has(name)) troubles.set(name, NO_TARGETS);
    for (const subject of [...this.#said.keys()])
      if (subject.startsWith("found ") && !troubles.has(subject.slice(6)))
        this.#said.delete(subject);
    return [...troubles].flatMap(([subject, message]) =>
      this.#say(`found ${subject}`, note(message === NO_TARGETS, subject, message)),
    );
  }

  /** Something was done to an entry, or could not be; an empty message says nothing. */
  aboutWrite(entry: KubeObject, message: string, isFine: boolean): readonly EventNote[] {
    if (message === "") return [];
    const event = note(isFine, dnsNameOf(entry), message);
    return isFine ? [event] : this.#say(`write ${entry.metadata.name}`, event);
  }

  /** How an entry stands. One that is Ready when it is first seen (a restart) is no news. */
  aboutEntry(entry: KubeObject): readonly EventNote[] {
    const status = fieldsOf(entry["status"]);
    const state = textOf(status["state"]) ?? "";
    const text = stateText(state, textOf(status["message"]));
    const subject = `entry ${entry.metadata.name}`;
    if (text === null) {
      this.#said.set(subject, "");
      return [];
    }
    const isFirst = !this.#said.has(subject);
    const notes = this.#say(subject, note(state === "Ready", dnsNameOf(entry), text));
    return isFirst && state === "Ready" ? [] : notes;
  }

  #say(subject: string, event: EventNote): readonly EventNote[] {
    if (this.#said.get(subject) === event.message) return [];
    this.#said.set(subject, event.message);
    return [event];
  }
}

const NO_TARGETS = "no address yet: the load balancer has none; what was published stays";

/** What is wrong and what to do, then the field to do it in. */
function textOfProblem({ message, field }: Problem): string {
  return field === undefined ? message : `${message} (${field})`;
}

function note(isFine: boolean, subject: string, message: string): EventNote {
  return { type: isFine ? "Normal" : "Warning", reason: REASON, message: `${subject}: ${message}` };
}

/** Gardener's texts; null = in the making. */
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
