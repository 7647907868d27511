/**
 * Which objects list a name, and what is wrong with those that are not published. For the pages of
 * `plan` and `explain`, so that people need not read the status of each object.
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
import { objectKeyOf } from "../../model/kinds.ts";
import { HOSTNAME_ANNOTATIONS } from "../../model/other-dialects.ts";
import { printable } from "../../model/printable.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { SecondaryRead, Source } from "../../sources/source.ts";
import { answersOf, isSameList } from "../objects/last-found.ts";
import { isThrottledText } from "./admission.ts";

/** An object that lists a name. */
export interface ListingObject {
  /** `kind/namespace/name`, as markers have it. */
  readonly object: string;
  /** The cluster that it is in. */
  readonly cluster: string;
  /** A text that is no valid name is shown as it is written. */
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
  /**
   * Cache of what each object lists; valid while the object and what its source read are unchanged.
   */
  readonly kept: WeakMap<KubeObject, KeptListing>;
}

/** State of an object whose class other controllers serve: no trouble of this program. */
export const OTHER_CLASS = "OtherClass";

/** Which rows are asked for. */
export interface ListingAsked {
  readonly isAsked: (name: DnsName) => boolean;
  /** Rows without a state may be left out, which costs less. Absent = all are wanted. */
  readonly onlyTroubled?: boolean;
  /** The text about objects in a refusal of the API server, by `object`. */
  readonly refused: ReadonlyMap<string, Trouble>;
}

/** Every object that lists a name that is asked for, once for each of these names. */
export async function listingObjects(
  kinds: readonly ListedKind[],
  { isAsked, onlyTroubled = false, refused }: ListingAsked,
  clock: Clock,
): Promise<readonly ListingObject[]> {
  const slices = new Slices(clock);
  const listed: ListingObject[] = [];
  for (const kind of kinds) {
    const { clusterId: cluster } = kind.view;
    const objects = kind.view.list(kind.source.primary);
    for (const one of objects.state === "value" ? objects.value : []) {
      if (slices.isOver) await slices.next();
      if (one.metadata.deletionTimestamp !== undefined) continue;
      const { names, remarks } = listingOf(one, kind);
      const object = resourceOf(objectKeyOf(one, cluster));
      const refusal = refused.get(object);
      if (onlyTroubled && remarks.size === 0 && refusal === undefined) continue;
      for (const name of names.filter(isAsked)) {
        const own = remarks.get(name) ?? NO_TROUBLE;
        const shown = own.state === "" ? (refusal ?? own) : own;
        listed.push({ object, cluster, name, ...shown });
      }
    }
  }
  return listed;
}

/** Names of an object, and for some of them a remark: a trouble, or a message of its status. */
interface Listing {
  readonly names: readonly DnsName[];
  readonly remarks: ReadonlyMap<DnsName, Trouble>;
}

/** The same, with the look-ups that the source made for it. */
interface KeptListing extends Listing {
  readonly reads: readonly SecondaryRead[];
  /** The findings of the look-ups at that time (`answersOf`). */
  readonly answers: readonly unknown[];
}

/** Shared by the objects without remarks and look-ups, of which there may be a hundred thousand. */
const NO_REMARKS: ReadonlyMap<DnsName, Trouble> = new Map();
const NOTHING: readonly never[] = [];

function listingOf(object: KubeObject, kind: ListedKind): Listing {
  const { source, view, kept } = kind;
  const known = kept.get(object);
  if (known !== undefined && isSameList(known.answers, answersOf(known.reads, view))) return known;
  const found = source.endpoints(object, view);
  const { reads = NOTHING } = found;
  const listing = { ...listingIn(object, kind, found), reads, answers: answersOf(reads, view) };
  kept.set(object, listing);
  return listing;
}

function listingIn(
  object: KubeObject,
  { source, dnsClasses }: ListedKind,
  { items, waiting, problems }: ReturnType<Source["endpoints"]>,
): Listing {
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
  // What another class's controller has written is no trouble of this program.
  const status = isOfClass(object, dnsClasses) ? statusTrouble(object, source) : null;
  // An address that is missing may be so for what the spec says; annotations are not why.
  const ofSpec = problems.filter(({ field }) => field?.startsWith("spec.") === true);
  const text = textOf(fieldsOf(object["status"])["message"]);
  const remarks = new Map<DnsName, Trouble>();
  for (const name of names) {
    const hasNoAddress = waits.get(name) === "NoTargets";
    const own = hasNoAddress ? ofSpec : problems;
    const trouble = status ?? (wanted.has(name) ? null : troubleOf(object, own, dnsClasses));
    const message = text ?? (hasNoAddress ? "it has no address yet" : "");
    if (trouble !== null || message !== "") remarks.set(name, trouble ?? { state: "", message });
  }
  return { names: [...names], remarks: remarks.size === 0 ? NO_REMARKS : remarks };
}

const NO_TROUBLE: Trouble = { state: "", message: "" };

export type Trouble = Pick<ListingObject, "state" | "message">;

/** The trouble that the status of the object says; null = none. */
function statusTrouble(object: KubeObject, { troubledStates = [] }: Source): Trouble | null {
  const { state, message } = fieldsOf(object["status"]);
  const [text, why] = [textOf(state) ?? "", textOf(message) ?? ""];
  // Others that are Pending are in the plan, or about to be written.
  const isTroubled = troubledStates.includes(text) || isThrottledText(why);
  return isTroubled ? { state: text, message: why } : null;
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

/**
 * The texts of the object that may be names: fields of its kind and our annotations (`names`), and
 * annotations of external-dns (`hosts`), whether or not a source reads them.
 */
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
