/**
 * Which objects list a name, and why some of them are not published as they are now: for people,
 * who see `plan` and `explain` before they see the status of each object.
 */
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import {
  type DnsName,
  NAME_BYTES_MAX,
  parseDnsName,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf, valuesAt } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { NAMES_ANNOTATION } from "../../model/annotation-keys.ts";
import { misspeltValues } from "../../model/annotation-slips.ts";
import { classOf, type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import { HOSTNAME_ANNOTATIONS } from "../../model/other-dialects.ts";
import { printable } from "../../model/printable.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { Source } from "../../sources/source.ts";

/** An object that lists a name. */
export interface ListingObject {
  /** `kind/namespace/name`, as markers have it. */
  readonly object: string;
  /** The cluster that it is in. */
  readonly cluster: string;
  /** One that is mistaken is as it is written. */
  readonly name: DnsName;
  /**
   * `Stale`, `Error` and `Invalid` of its status, the code of what is wrong with it, or
   * `OtherClass`. Empty = nothing is wrong, as far as the object shows.
   */
  readonly state: string;
  /** Why, for people; empty = its status says nothing. */
  readonly message: string;
}

/** Objects of one kind in one cluster. */
export interface ListedKind {
  readonly view: ClusterView;
  readonly source: Source;
  /** The classes of objects that this program reads. */
  readonly dnsClasses: DnsClasses;
}

/** Of an object that other controllers are responsible for: no trouble of this program. */
export const OTHER_CLASS = "OtherClass";

/** Every object that lists a name that is asked for, once for each of these names. */
export async function listingObjects(
  kinds: readonly ListedKind[],
  isAsked: (name: DnsName) => boolean,
  clock: Clock,
): Promise<readonly ListingObject[]> {
  const slices = new Slices(clock);
  const listed: ListingObject[] = [];
  for (const kind of kinds) {
    const objects = kind.view.list(kind.source.primary);
    for (const object of objects.state === "value" ? objects.value : []) {
      if (slices.isOver) await slices.next();
      if (object.metadata.deletionTimestamp === undefined)
        listed.push(...namesListedBy(object, kind, isAsked));
    }
  }
  return listed;
}

function namesListedBy(
  object: KubeObject,
  { view, source, dnsClasses }: ListedKind,
  isAsked: (name: DnsName) => boolean,
): readonly ListingObject[] {
  const { items, waiting, problems } = source.endpoints(object, view);
  const wanted = new Set(items.map(({ name }) => name));
  const waits = new Map(waiting.map(({ name, reason }) => [name, reason]));
  const written = textsIn(object, source);
  const isNamed = (text: string): boolean =>
    problems.some(({ subject, message }) =>
      `${subject} ${message}`.toLowerCase().includes(shownName(text)),
    );
  const names = new Set([
    ...wanted,
    ...waits.keys(),
    ...written.names.flatMap(readName),
    ...[...written.names, ...written.hosts]
      .filter((text) => !parseDnsName(text).ok && isNamed(text))
      .map(shownName),
  ]);
  const resource = resourceOf(objectKeyOf(object, view.clusterId));
  return [...names].filter(isAsked).map((name) => {
    const isFine = wanted.has(name) || waits.get(name) === "NoTargets";
    const trouble =
      statusTrouble(object, source) ?? (isFine ? null : troubleOf(object, problems, dnsClasses));
    const silence = waits.get(name) === "NoTargets" ? "it has no address yet" : "";
    const message = textOf(fieldsOf(object["status"])["message"]) ?? silence;
    return {
      object: resource,
      cluster: view.clusterId,
      name,
      ...(trouble ?? { state: "", message }),
    };
  });
}

type Trouble = Pick<ListingObject, "state" | "message">;

/** What the controller of the object has written. */
function statusTrouble(object: KubeObject, { troubledStates = [] }: Source): Trouble | null {
  const { state, message } = fieldsOf(object["status"]);
  const text = textOf(state) ?? "";
  return troubledStates.includes(text) ? { state: text, message: textOf(message) ?? "" } : null;
}

function troubleOf(
  object: KubeObject,
  problems: readonly Problem[],
  dnsClasses: DnsClasses,
): Trouble | null {
  if (!isOfClass(object, dnsClasses))
    return {
      state: OTHER_CLASS,
      message: `its class is ${classOf(object)}, and this instance is for ${dnsClasses.join(", ")}`,
    };
  const [first] = problems;
  if (first === undefined) return null;
  const texts = problems.map(({ field, message }) =>
    field === undefined ? message : `${message} (${field})`,
  );
  return { state: first.code, message: texts.join("; ") };
}

/** Annotations that list names, for this program or for another one. */
const LISTS: readonly string[] = [NAMES_ANNOTATION, ...HOSTNAME_ANNOTATIONS];

/** Texts where its kind writes names, and in annotations of external-dns, read or not. */
function textsIn(object: KubeObject, { nameFields = [] }: Source) {
  const { annotations = {} } = object.metadata;
  const split = (lists: readonly string[]): readonly string[] =>
    lists.flatMap((list) => list.split(",")).filter((text) => text.trim() !== "");
  const lists = [annotations[NAMES_ANNOTATION] ?? "", ...misspeltValues(annotations, LISTS)];
  const fields = nameFields.flatMap((path) => valuesAt(object, path)).flat();
  return {
    names: [...split(lists), ...fields.filter((text) => typeof text === "string")],
    hosts: split(HOSTNAME_ANNOTATIONS.map((key) => annotations[key] ?? "")),
  };
}

function readName(text: string): readonly DnsName[] {
  const name = parseDnsName(text);
  return name.ok ? [name.value] : [];
}

function shownName(text: string): DnsName {
  return trustedDnsName(printable(text.trim()).slice(0, NAME_BYTES_MAX));
}
