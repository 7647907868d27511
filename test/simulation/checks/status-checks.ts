/**
 * L3, name by name: each DNSEntry says of its present generation that what it wants stands, or what
 * is wrong; and each Service or Ingress was told the same of each name that it lists, by an Event
 * that names it.
 */
import { domainToASCII } from "node:url";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, numberOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Instance } from "../world/instance.ts";
import { hasSameValues, type WantedObject } from "../world/truth.ts";
import { claimsOf } from "../world/zone-truth.ts";
import { Violation } from "./checks.ts";

/** What was said, and what is so. */
export interface ReportContext {
  readonly instance: Pick<Instance, "cluster" | "truth" | "owner">;
  readonly content: readonly RecordSet[];
  /**
   * More than one process has served it. What became Ready while none lived, or was told by one in
   * the moment of its death, is no news to the next one.
   */
  readonly wasRestarted: boolean;
}

interface Entry {
  readonly resource: string;
  readonly name: string;
  readonly state: string;
  readonly message: string;
  readonly targets: readonly string[];
  readonly observed: number | null;
  readonly generation: number;
  /** `service/default/s1`: the object that it was made for; null = a person's. */
  readonly madeFor: string | null;
}

/** Throws a violation; answers how many names were looked at. */
export function checkReported(context: ReportContext): number {
  const { cluster, truth } = context.instance;
  const isDeleting = ({ metadata }: KubeObject): boolean =>
    metadata.deletionTimestamp !== undefined;
  const all = cluster.all(DNS_ENTRY);
  const entries = all.filter((entry) => !isDeleting(entry)).map(readEntry);
  // It waits for a person (Z-9, Z-19), says for what, and its object cannot have another of that
  // name before.
  const stuck = all.filter(isDeleting).map(readEntry).filter(isForPerson);
  for (const entry of entries) checkEntry(entry, context);
  const sources = truth
    .objects()
    .filter(({ resource, names }) => names.length > 0 && !resource.startsWith("dnsentry/"));
  for (const object of sources)
    if (object.settled)
      for (const name of object.names) checkName(object, name, { ...context, entries, stuck });
    else checkTrouble(object, context);
  return entries.length + sources.flatMap(({ names }) => names).length;
}

/** The status speaks of what the user wants now, and is true. */
function checkEntry(entry: Entry, { instance, content }: ReportContext): void {
  const { resource, state, message, targets, name, observed, generation } = entry;
  const say = (what: string): Violation => new Violation(`L3: ${resource} (${name}) ${what}`);
  if (observed !== generation)
    throw say(`speaks of generation ${observed}, its user's is ${generation}`);
  const isWaiting = state === "Pending" && WAITS.test(message);
  if (!isWaiting && !SETTLED_STATES.has(state)) throw say(`says "${state}": ${message}`);
  if (message === "") throw say(`is ${state} and does not say why`);
  if (state !== "Ready") return;
  // Users write names as they like: full-width letters are other ways to write the same ones.
  const names = [name, domainToASCII(name)];
  const shown = claimsOf(content)
    .filter(({ owner, isMarker }) => owner === instance.owner && !isMarker)
    .filter(({ set }) => names.includes(set.name))
    .flatMap(({ set }) => set.values);
  const missing = targets.find((target) => !shown.includes(target));
  if (targets.length === 0 || missing !== undefined)
    throw say(`is Ready with [${targets.join()}], and [${shown.join()}] stands`);
  const { settled = false, values = {} } = instance.truth.get(resource) ?? {};
  for (const [type, wanted] of Object.entries(settled ? values : {}))
    if (
      !hasSameValues(
        wanted,
        targets.filter((target) => isOneOf(wanted, target)),
      )
    )
      throw say(`is Ready with [${targets.join()}] and without the ${type} that its user wants`);
}

/**
 * What a provider may have trimmed is the same (F11). The status also has targets that the entry no
 * longer lists and that are held.
 */
function isOneOf(wanted: readonly string[], target: string): boolean {
  return wanted.some((value) => hasSameValues([value], [target]));
}

/**
 * Z-4: it waits, and says for which object's address; its own object hears no Event of that, but
 * has lost it itself.
 */
const WAITS =
  /^(?:the \S+ record belongs to \S+: )?(?:dangling: )?\S+ (?:has no address |was made for a name that its object gave up )/;
const SETTLED_STATES = new Set(["Ready", "Error", "Stale", "Invalid"]);

interface ReportedNameContext extends ReportContext {
  readonly entries: readonly Entry[];
  /** Entries that are deleted and wait for a person. */
  readonly stuck: readonly Entry[];
}

/**
 * Also F08's provider, which takes no removal of a name for as long as it refuses it, and F16's
 * zone that does not come back (Z-18).
 */
const isForPerson = ({ message }: Entry): boolean =>
  / claim the record$| shares its record set with a text|move (?:that|the other) text | of somebody else; remove that value| is refused$|: zone twin cannot be reached now/.test(
    message,
  );

/**
 * The DNSProvider is deleted, and waits for such an entry: nothing new is published by it (Z-19).
 */
export function isProviderKept({
  lacksProvider,
  cluster,
}: Pick<Instance, "lacksProvider" | "cluster">): boolean {
  const going = cluster
    .all(DNS_ENTRY)
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  return lacksProvider && going.map(readEntry).some(isForPerson);
}

/** An entry exists for the name, and its object has an event with the entry's present state. */
function checkName(
  { resource }: WantedObject,
  name: string,
  { instance, entries, stuck, wasRestarted }: ReportedNameContext,
): void {
  const isOf = (one: Entry): boolean => one.madeFor === resource && one.name === name;
  if (stuck.some(isOf)) return;
  const entry = entries.find(isOf);
  if (entry === undefined) throw new Violation(`L3: no entry exists for ${name} of ${resource}`);
  const { state, message } = entry;
  if (state === "Pending" || (state === "Ready" && wasRestarted)) return;
  const reported = instance.cluster.events
    .filter(({ object, note }) => object === resource && note.message.startsWith(`${name}: `))
    .map(({ note }) => note.message.slice(name.length + 2));
  // That it is Ready is no news that has to come, as long as the object has heard of the name.
  const isReported = reported.some((text) => state === "Ready" || text.endsWith(message));
  if (!isReported)
    throw new Violation(
      `L3: ${resource} was told [${reported.join("; ")}] of ${name}, which is ${state}: ${message}`,
    );
}

/** What is wrong with an object that cannot be published as it is. */
function checkTrouble({ resource }: WantedObject, { instance }: ReportContext): void {
  // F20: nobody predicts whether anything is wrong with a hostile one.
  if (resource.includes("/hostile-")) return;
  const isTrouble = (text: string): boolean => !/^[^ ]+: dns entry (?!invalid)/.test(text);
  const isReported = instance.cluster.events.some(
    ({ object, note }) => object === resource && isTrouble(note.message),
  );
  if (!isReported) throw new Violation(`L3: ${resource} was not told what is wrong with it`);
}

function readEntry({ metadata, spec, status }: KubeObject & Record<string, unknown>): Entry {
  const { state, message, targets, observedGeneration } = fieldsOf(status);
  const [owner] = metadata.ownerReferences ?? [];
  return {
    resource: `dnsentry/${metadata.namespace}/${metadata.name}`,
    // A hostile one may have blanks around it, which are no part of the name (F20).
    name: (textOf(fieldsOf(spec)["dnsName"]) ?? "").trim(),
    state: textOf(state) ?? "",
    message: textOf(message) ?? "",
    targets: targets === undefined ? [] : (textsOf(targets) ?? []),
    observed: numberOf(observedGeneration),
    generation: metadata.generation ?? 0,
    madeFor:
      owner === undefined
        ? null
        : `${owner.kind.toLowerCase()}/${metadata.namespace}/${owner.name}`,
  };
}
