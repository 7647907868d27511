/**
 * Turns what is known about the names of a contribution (what one object wants in one zone) into
 * the report for its object. Markers name the object that a record is for. Pure reading; no I/O.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { printable } from "../../model/printable.ts";
import {
  isMarkOf,
  isSameObject,
  matchesResource,
  type Provenance,
  resourceForms,
  resourceOf,
} from "../../model/provenance.ts";
import { type DesiredRecordSet, isSameKey, recordSetKeyText } from "../../model/record-set.ts";
import type { Hold, NamePlan, OwnedRecordSet } from "../../plan/changes.ts";
import { type HoldCode, isSatisfied } from "../../plan/hold-reasons.ts";
import { FORMER_TEXT, NOTE_REMEDY } from "../../plan/removal/table.ts";
import { BEHIND } from "../../plan/resolve-conflicts.ts";
import { type DesiredIndex, namesOf } from "../cache/desired-index.ts";
import type { ZoneState } from "../cache/zone-state.ts";
import {
  type Contribution,
  HANDING_OVER,
  isHandedOver,
  isWithdrawn,
  type NameReport,
  type NameState,
} from "../contract/contribution.ts";

/** A name's last failure. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** What the actor knows besides the zone's content, for the names of one contribution. */
export interface ReportInput {
  /** `objectsOf` the contribution: made once for all of its names. */
  readonly objects: readonly Provenance[];
  /** Null until the first complete load. */
  readonly state: ZoneState | null;
  readonly planAt: (name: DnsName) => NamePlan | null;
  /** What objects want at the name; those that are deleted want nothing. */
  readonly wantedAt: (name: DnsName) => readonly DesiredRecordSet[];
  /** False while the name has not been planned since its input changed. */
  readonly isPlanned: (name: DnsName) => boolean;
  readonly failureAt: (name: DnsName) => Failure | null;
  /** Why the zone as a whole cannot be worked on; null = it can. */
  readonly zoneFailure: Failure | null;
  /** Why no change would be written to the zone, although it can be read; null = it would be. */
  readonly zoneStop: Failure | null;
}

/**
 * Names that the report of a contribution is about: those that it lists and, when it is deleted or
 * handed over, those where a marker names its object and that no other object lists. Several
 * DNSEntries may be made from one object, which their markers name: each waits only for its own
 * names, so that a name that is refused does not hold up another entry.
 */
export function namesToReport(
  contribution: Contribution,
  state: ZoneState | null,
  index: DesiredIndex,
): readonly DnsName[] {
  const listed = namesOf(contribution);
  const isLeft =
    contribution.deleting ||
    /* clause: former-name-keeps-the-finalizer */ isHandedOver(contribution);
  if (!isLeft || state === null) return listed;
  const marked = namesMarkedBy(contribution, state);
  const isOwn = ({ object }: Contribution): boolean => isSameObject(object, contribution.object);
  const free = marked.filter((name) => index.listing(name).every(isOwn));
  return [...new Set([...listed, ...free])];
}

/**
 * Names at which a marker of ours names this contribution's objects, whether it lists them or not.
 */
export function namesMarkedBy(contribution: Contribution, state: ZoneState): readonly DnsName[] {
  const forms = new Set(objectsOf(contribution).flatMap(resourceForms));
  const names = [...forms].flatMap((resource) => state.owned.namesOfResource(resource));
  return [...new Set(names)].map(trustedDnsName);
}

/**
 * Codes of holds that keep a record for an object that lists its name: that object exists, or its
 * targets are not complete now (Z-1, Z-4). It is never one that is being deleted, which lists no
 * name any more.
 */
const KEPT_FOR_OTHERS: ReadonlySet<HoldCode> = new Set<HoldCode>([
  "EntryExists",
  "OriginalAlive",
  "WantedElsewhere",
  "NoTargets",
  "SourceIncomplete",
]);

/**
 * The report of one name, or null when a contribution that is deleting or moved away owns no record
 * there any more.
 */
export function reportName(
  input: ReportInput,
  contribution: Contribution,
  name: DnsName,
): NameReport | null {
  const owned = ownedSets(input, name);
  if (isWithdrawn(contribution) && input.state !== null && owned.length === 0) return null;
  if (contribution.deleting && isKeptForOthers(input, contribution, { name, owned })) return null;
  // clause: deleted-entry-waits-for-no-other
  if (contribution.deleting && isWantedByOthers(input, name, owned)) return null;
  const { state, code, message } = statusOf(input, contribution, name);
  const present = [...owned, ...sharedSets(input, contribution, name)].filter(
    ({ data }) => data !== null,
  );
  const isPublished = input.state === null ? null : present.length > 0;
  // Whose a contested record set is, is not decided: it is shown of an object that wants one there.
  const { items } = contribution.found;
  const isShown = (set: OwnedRecordSet): boolean =>
    !set.contested || items.some((item) => isSameKey(item, set));
  const sets = present.filter(isShown).flatMap(({ data }) => data ?? []);
  // The report is kept for each object: a copy of the array has no spare capacity.
  return { name, state, code, message: printable(message), sets: sets.slice(), isPublished };
}

/**
 * True when a deletion does not have to wait for the remaining records at the name, because they
 * stay whatever becomes of this object:
 *
 * - the original object still lists the name, or
 * - an object of another provider, or without a provider, lists it, or
 * - an object whose spec cannot be read now may list it, or
 * - the marker names this object, and nobody saw it list the name (Z-22), or nobody here serves its
 *   cluster (Z-30).
 *
 * Waiting could last for ever: the DNSProvider that is being deleted waits for this deletion
 * (Z-19), and the other object gets a provider only afterwards.
 */
function isKeptForOthers(
  { planAt, isPlanned, objects }: ReportInput,
  contribution: Contribution,
  { name, owned }: { readonly name: DnsName; readonly owned: readonly OwnedRecordSet[] },
): boolean {
  const { holds = [], changes = [] } = planAt(name) ?? {};
  const isListed = namesOf(contribution).includes(name);
  // The name was never this object's own: its original lists it and still exists. Another object
  // made from that original reports the name.
  const isSiblings = objects.length > 1 && !isListed;
  const isForOthers = ({ code }: Hold): boolean =>
    KEPT_FOR_OTHERS.has(code) ||
    (isSiblings && code === "SourceAlive") ||
    (!isListed && (code === "Orphan" || code === "ClusterUnknown"));
  if (!isPlanned(name) || !holds.some(isForOthers)) return false;
  const isAboutThis = ({ provenance }: Hold): boolean =>
    provenance === null || isAbout(objects, provenance);
  return owned.every((set) => {
    const own = holds.filter((hold) => isSameKey(hold.key, set) && isAboutThis(hold));
    if (own.length > 0) return own.some(isForOthers);
    return changes.every(({ key }) => !isSameKey(key, set));
  });
}

/**
 * True when the records of a deleted object are what another one wants under the very same markers:
 * the original publishes them by itself now, or through another DNSEntry.
 */
function isWantedByOthers(
  { wantedAt }: ReportInput,
  name: DnsName,
  owned: readonly OwnedRecordSet[],
): boolean {
  const wanted = wantedAt(name);
  return owned.every(({ marker, ...set }) =>
    wanted.some((one) => isSameKey(one, set) && isMarkOf(marker, one.provenance)),
  );
}

/** Record sets of ours at the name whose markers name an object of this contribution. */
function ownedSets({ state, objects }: ReportInput, name: DnsName): readonly OwnedRecordSet[] {
  const owned = state?.owned;
  if (owned === undefined) return [];
  const isNamed = (marker: OwnedRecordSet["marker"]): boolean =>
    objects.some((object) => isMarkOf(marker, object));
  // A contested record set may be this object's: it exists, and a deletion waits until somebody has
  // decided.
  const isMine = (set: OwnedRecordSet): boolean => owned.isClaimed(set) && isNamed(set.marker);
  return owned.at(name).filter(isMine);
}

/** Record sets of other objects that serve this one too, because their data is equal (Z-28). */
function sharedSets(
  { state, planAt, objects }: ReportInput,
  contribution: Contribution,
  name: DnsName,
): readonly OwnedRecordSet[] {
  const holds = planAt(name)?.holds ?? [];
  const shared = holds.filter(
    ({ code, provenance }) =>
      code === "SharedRecord" && provenance !== null && isAbout(objects, provenance),
  );
  if (shared.length === 0 || state === null || isWithdrawn(contribution)) return [];
  return state.owned.at(name).filter((set) => shared.some(({ key }) => isSameKey(key, set)));
}

/** The objects that markers of this contribution may name, each once. */
export function objectsOf({ object, found }: Contribution): readonly Provenance[] {
  const objects = new Map<string, Provenance>([[resourceOf(object), object]]);
  for (const { provenance } of [...found.items, ...found.waiting])
    if (provenance !== undefined) objects.set(resourceOf(provenance), provenance);
  return [...objects.values()];
}

interface NameStatus {
  readonly state: NameState;
  readonly code: string | null;
  readonly message: string;
}

function statusOf(input: ReportInput, contribution: Contribution, name: DnsName): NameStatus {
  const pending: NameStatus = { state: "pending", code: null, message: "" };
  if (input.zoneFailure !== null) {
    const { code, message } = input.zoneFailure;
    return { state: "failed", code, message };
  }
  if (input.state === null) return { ...pending, message: "the zone is being loaded" };
  const failure = input.failureAt(name);
  if (failure !== null) return { state: "failed", ...failure };
  if (!input.isPlanned(name)) return pending;
  const plan = input.planAt(name);
  const held = heldBy(input, contribution, name);
  if (held !== null) return { state: "held", ...held };
  if (input.zoneStop !== null) return { state: "held", ...input.zoneStop };
  const isOpen =
    isWithdrawn(contribution) ||
    plan?.changes.some(({ migration }) => migration === undefined) === true;
  return isOpen ? pending : { state: "published", code: null, message: "" };
}

function heldBy(
  { planAt, objects }: ReportInput,
  contribution: Contribution,
  name: DnsName,
): Failure | null {
  const { holds = [] } = planAt(name) ?? {};
  // What holds the winner's record also holds the other records at the name; holds that only say
  // that an object comes second come last.
  const others = [...holds.filter(({ code }) => !BEHIND.has(code)), ...holds];
  const own = holds.filter(
    (hold) =>
      (hold.provenance === null || isAbout(objects, hold.provenance)) &&
      concerns(hold, contribution, name),
  );
  // One type may be served by another object's record while another type waits.
  const worst = own.find((hold) => !isSatisfied(hold)) ?? own[0];
  const hold = worst ?? (isWithdrawn(contribution) ? others[0] : undefined);
  if (hold !== undefined) return { code: hold.code, message: hold.message };
  const waiting = contribution.found.waiting.find((wait) => wait.name === name);
  if (waiting === undefined || isWithdrawn(contribution)) return null;
  const who = resourceOf(waiting.provenance ?? contribution.object);
  return { code: waiting.reason, message: `${who} ${WAITS[waiting.reason] ?? UNREAD}` };
}

const UNREAD = "could not be read completely; its own message says why";
const WAITS: Readonly<Record<string, string>> = {
  EntryExists: "waits until the DNSEntry that was made for it is deleted",
  [HANDING_OVER]:
    "has another class, and its record is handed over to the controllers of that class",
  NoTargets: "has no address for this name now",
  RenamedUnpublished: `${FORMER_TEXT}; what is published stays as it is until then; ${NOTE_REMEDY}`,
  Unresolved: "has a target that could not be looked up",
};

/** Whether a hold at this name, of this object or of none, is about what the object wants. */
function concerns(hold: Hold, contribution: Contribution, name: DnsName): boolean {
  if (isWithdrawn(contribution)) return true;
  const { items, waiting } = contribution.found;
  if (waiting.some((wait) => wait.name === name)) return true;
  const key = recordSetKeyText(hold.key);
  return items.some((item) => item.name === name && recordSetKeyText(item) === key);
}

function isAbout(objects: readonly Provenance[], provenance: Provenance): boolean {
  const resource = resourceOf(provenance);
  return objects.some((object) => matchesResource(resource, object));
}
