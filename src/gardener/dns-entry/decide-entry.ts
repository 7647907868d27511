/**
 * What to do about a DNSEntry: where it contributes, which state it shows, when its finalizer comes
 * and goes. Pure. States are Gardener's with two changes: a mistake keeps records (Z-5), a deletion
 * never hangs for ever (Z-19).
 */

import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import type { DnsName } from "../../model/dns-name.ts";
import { PAUSE_ANNOTATION } from "../../model/pause-annotation.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, NOTHING, objectTransferOf } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import type { NameReport } from "../../sync/contract/contribution-report.ts";
import { withRights } from "./current-requests.ts";
import { decideDeletion } from "./decide-entry-deletion.ts";
import type { EntryState, EntryStatus } from "./entry.ts";
import {
  type Assignment,
  type EntryContext,
  type EntryDecision,
  isSameZone,
  type NewContribution,
  NO_DECISION,
  newContributions,
  zonesOf,
} from "./entry-context.ts";
import { standingOf } from "./entry-state.ts";
import { leave } from "./leave-former-zones.ts";
import { stateEvent } from "./state-event.ts";

/**
 * Decides about one entry; the same world gives the same decision, and a decision that was carried
 * out gives none.
 */
export function decideEntry(world: EntryContext): EntryDecision {
  const { entry } = world;
  if (!entry.isOfClass) return letGo(world);
  if (entry.deletingSinceMs !== null) return decideDeletion(world);
  return withRights(world, decideAlive(world));
}

function decideAlive(world: EntryContext): EntryDecision {
  const { found } = world;
  // A spec that validates may come with a remark about an annotation that counts as not given.
  if (found.problems.length > 0 && found.items.length === 0) return decideInvalid(world);
  if (found.items.length === 0) return decideEmptied(world);
  return decideValid(world, found.items);
}

/** Another class is responsible now: records stay for it, our finalizer goes. */
function letGo(world: EntryContext): EntryDecision {
  const finalizer = world.entry.hasFinalizer ? "remove" : null;
  return { ...NO_DECISION, finalizer, unassign: world.assignments.map((route) => route.key) };
}

/**
 * Z-5: what was applied stays as the last valid generation had it. After a restart that generation
 * is not known any more; then the incomplete contribution protects what stands. So it does where
 * that generation did not come into its own: it must not stand in the way of others with a wish
 * that nobody can read any more.
 */
function decideInvalid(world: EntryContext): EntryDecision {
  const { entry, found, assignments: routes } = world;
  const problem = found.problems[0];
  const where = problem?.field === undefined ? "" : `${problem.field}: `;
  const places = zonesOf(world).filter(({ key }) => {
    const route = routes.find((candidate) => isSameZone(candidate.key, key));
    return route === undefined || isWithoutSuccess(route);
  });
  const send = places.map((place) => sending(place, contributionOf(world, found)));
  const state = wasApplied(world) ? "Stale" : "Invalid";
  const givesUp = found.objectTransfer?.transfer.release === true ? GIVES_UP : "";
  return shown(
    world,
    { state, message: `${where}${problem?.message ?? "not valid"}${givesUp}` },
    {
      send,
      finalizer: send.length > 0 && !entry.hasFinalizer ? "add" : null,
    },
  );
}

/** True whether or not it is done already. */
const GIVES_UP = "; by its annotation release it gives its records up";

/** What it wants there has been worked on, and does not stand. */
function isWithoutSuccess({ report }: Assignment): boolean {
  const standings = (report?.names ?? []).map(standingOf);
  return standings.some((standing) => standing !== null && standing.state !== "Ready");
}

/**
 * Z-5: targets and text were taken out; that is intent. The finalizer stays until the entry is
 * deleted.
 */
function decideEmptied(world: EntryContext): EntryDecision {
  const { paused, objectTransfer: said } = world.found;
  const nothing = {
    ...NOTHING,
    ...(paused === undefined ? {} : { paused }),
    ...(said === undefined ? {} : { objectTransfer: said }),
  };
  const send = zonesOf(world).map((zone) => sending(zone, contributionOf(world, nothing)));
  const [left] = world.unwantedRecords;
  const detail = left === undefined ? "" : `; its record ${left.name} is held: ${left.message}`;
  const verdict = { state: "Invalid" as const, message: `no target or text specified${detail}` };
  return shown(world, verdict, { send, status: { targets: null, ttl: null } });
}

/**
 * The spec is valid: find the zone, contribute, and say how it stands. Where none is known now, and
 * it was in none since the start, what it lists is kept all the same: its provider fails, was not
 * listed yet, or is to come back.
 */
function decideValid(world: EntryContext, items: readonly DesiredRecordSet[]): EntryDecision {
  const decision = decidePlace(world, items);
  const { selection, assignments: routes, entry } = world;
  const isServed = selection.kind !== "none" || entry.status.zone !== null;
  if (selection.kind === "zone" || routes.length > 0 || !isServed) return decision;
  return { ...decision, withoutZone: contributionOf(world, foundFor(world, items)) };
}

function decidePlace(world: EntryContext, items: readonly DesiredRecordSet[]): EntryDecision {
  const { selection } = world;
  const applied = wasApplied(world) ? "Stale" : "Error";
  switch (selection.kind) {
    case "zone":
      return isPremature(world)
        ? decideUndecided(world, "")
        : decideRouted(world, items, selection);
    case "undecided":
      return decideUndecided(world, selection.reason);
    case "invalid":
      return shown(world, { state: applied, message: selection.message });
    case "none":
      return shown(world, { state: applied, message: unservedText(world, items) });
  }
}

/**
 * Nothing is written and nothing taken away; an entry that stands somewhere shows what it showed.
 */
function decideUndecided(world: EntryContext, reason: string): EntryDecision {
  const { state } = world.entry.status;
  if (state !== "" && (state !== "Pending" || reason === "")) return NO_DECISION;
  const detail = reason === "" ? "" : `: ${reason}`;
  return shown(world, { state: "Pending", message: `waiting for dns reconciliation${detail}` });
}

/**
 * After a restart an entry speaks for its object from memory, until that object is listed: it may
 * have lost its address since, and then neither what a grace took away may come back, nor an
 * address be written that never reached the zone (Z-1, Z-4). Only what stood exactly so is
 * published at once, so that it is repaired while the object's cluster is away.
 */
function isPremature(world: EntryContext): boolean {
  const { status, generation } = world.entry;
  const hasStoodSo = status.state === "Ready" && status.observedGeneration === generation;
  return (
    world.origin === "unlisted" &&
    world.assignments.length === 0 &&
    !(hasStoodSo && wasApplied(world))
  );
}

/** Begins with Gardener's text, which tools match. */
function unservedText({ entry }: EntryContext, items: readonly DesiredRecordSet[]): string {
  const name = items[0]?.name ?? "this name";
  return `No responsible provider found: no DNSProvider that namespace ${entry.key.namespace} may use serves ${name}; create one for its zone, or include its domain in one`;
}

function decideRouted(
  world: EntryContext,
  items: readonly DesiredRecordSet[],
  selection: Extract<Selection, { kind: "zone" }>,
): EntryDecision {
  const ttl = selection.provider.defaultTtlSeconds ?? world.defaultTtlSeconds;
  const resolved = items.map((item) => ({ ...item, ttlSeconds: item.ttlSeconds ?? ttl }));
  const contribution = contributionOf(world, foundFor(world, resolved));
  const route = world.assignments.find((candidate) => isSameZone(candidate.key, selection.key));
  const report = freshReport(world, route, items[0]?.name);
  const standing = report === null ? null : standingOf(report);
  const isPublished = standing?.state === "Ready";
  const { key, zone } = selection;
  const leaving = leave(world, items, { contribution, key, apex: zone.name, isPublished });
  const place: Partial<EntryStatus> = leaving.isDone
    ? {
        provider: selection.provider.id,
        providerType: selection.provider.type,
        zone: selection.zone.id,
      }
    : {};
  const effective = report === null ? {} : effectiveOf(report, resolved);
  const send = [{ key: selection.key, zone: selection.zone.name, contribution }, ...leaving.send];
  const verdict =
    standing === null ? waitingVerdict(world, route !== undefined) : withPause(world, standing);
  // After a restart a zone may be read before its entries are: their names are no leftovers.
  const left = world.unwantedRecords.filter(({ name }) =>
    items.every((item) => item.name !== name),
  );
  return {
    ...shown(world, withRemarks(world, withLeftovers(verdict, left)), {
      send,
      status: { ...place, ...effective },
    }),
    finalizer: world.entry.hasFinalizer ? null : "add",
    unassign: leaving.unroute,
  };
}

/**
 * Z-4: without an address now, the name waits; nothing that the entry still says of old is written
 * anew.
 */
function foundFor(
  { found, origin }: EntryContext,
  items: readonly DesiredRecordSet[],
): Found<DesiredRecordSet> {
  if (origin !== "no-address") return { ...found, items };
  const names = new Map(items.map(({ name, provenance }) => [name, provenance]));
  const waiting = [...names].map(([name, provenance]) => ({
    name,
    reason: "NoTargets",
    provenance,
  }));
  const said = objectTransferOf(found);
  return { ...found, items: [], waiting, ...(said === null ? {} : { objectTransfer: said }) };
}

/** Annotations that cannot be read count as not given; the entry says so. */
function withRemarks({ found }: EntryContext, verdict: Verdict): Verdict {
  const remarks = found.problems.map(({ field, message }) => `; ${field}: ${message}`);
  return { ...verdict, message: `${verdict.message}${remarks.join("")}` };
}

/** An entry is not as wanted while a record of it that it gave up is still there, and held. */
function withLeftovers(verdict: Verdict, [first]: readonly NameReport[]): Verdict {
  const left = first === undefined ? null : standingOf(first);
  if (verdict.state !== "Ready" || first === undefined || left === null) return verdict;
  const message = `${verdict.message}; its former record ${first.name} is held: ${left.message}`;
  return { state: left.state, message };
}

/** Whoever paused it sees that, also while nothing has to be held. */
function withPause({ found }: EntryContext, verdict: Verdict): Verdict {
  if (found.paused === undefined || verdict.state !== "Ready") return verdict;
  return { ...verdict, message: `${verdict.message}; paused by ${PAUSE_ANNOTATION}` };
}

/** The report about the entry's name as this generation wants it, or null. */
function freshReport(
  world: EntryContext,
  route: Assignment | undefined,
  name: DnsName | undefined,
): NameReport | null {
  const report = route?.report ?? null;
  if (report === null || report.generation < world.entry.generation) return null;
  return report.names.find((candidate) => candidate.name === name) ?? null;
}

/** Until a report comes: an entry that stood before (a restart, a drift check) keeps its state. */
function waitingVerdict(world: EntryContext, isRouted: boolean): Verdict {
  const { status, generation } = world.entry;
  const hasStood = status.observedGeneration === generation && KEPT.has(status.state);
  if (hasStood) return { state: asState(status.state), message: status.message ?? "" };
  const message = isRouted ? "dns entry is being published" : "waiting for dns reconciliation";
  return { state: "Pending", message };
}

const KEPT: ReadonlySet<string> = new Set(["Ready", "Stale"]);

function asState(text: string): EntryState {
  return text === "Ready" ? "Ready" : "Stale";
}

/** Records of it may stand: its status says so, or a report does. */
function wasApplied(world: EntryContext): boolean {
  if ((world.entry.status.targets ?? []).length > 0) return true;
  return world.assignments.some(
    (route) => route.report?.names.some((name) => name.isPublished) === true,
  );
}

function contributionOf(world: EntryContext, found: Found<DesiredRecordSet>): Contribution {
  const { key, generation } = world.entry;
  return { object: key, generation, found, deleting: false };
}

function sending(
  zone: Pick<NewContribution, "key" | "zone">,
  contribution: Contribution,
): NewContribution {
  return { key: zone.key, zone: zone.zone, contribution };
}

/** What stands (or is wanted, where the report does not say) as effective targets and TTL. */
function effectiveOf(report: NameReport, items: readonly DesiredRecordSet[]): Partial<EntryStatus> {
  if (report.state !== "published" && !report.isPublished) return { targets: null, ttl: null };
  const sets = report.sets.length > 0 ? report.sets : items;
  return {
    targets: sets.flatMap((set) => set.values),
    ttl: sets[0]?.ttlSeconds ?? null,
  };
}

interface Verdict {
  readonly state: EntryState;
  readonly message: string;
}

interface ShownOptions {
  readonly send?: readonly NewContribution[];
  readonly status?: Partial<EntryStatus>;
  readonly finalizer?: "add" | null;
}

/** A decision that shows a state; fields of the status that are not named stay. */
function shown(world: EntryContext, verdict: Verdict, options: ShownOptions = {}): EntryDecision {
  const { entry, assignments: routes } = world;
  const status: EntryStatus = {
    ...entry.status,
    ...options.status,
    ...verdict,
    observedGeneration: entry.generation,
  };
  return {
    ...NO_DECISION,
    finalizer: options.finalizer ?? null,
    status,
    send: newContributions(options.send ?? [], routes),
    event: stateEvent(entry.status, verdict),
  };
}
