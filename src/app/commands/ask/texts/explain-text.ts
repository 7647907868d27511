/** Why a name is as it is, for people. Pure. */
import { timeText } from "@zonekeeper/base/time-text";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { toUnicode } from "@zonekeeper/dns/names/idna";
import type { ListingObject } from "../../../../controllers/zone-choice/listing-objects.ts";
import { NAMES_ANNOTATION } from "../../../../model/annotation-keys.ts";
import { printable } from "../../../../model/printable.ts";
import { resourceOf } from "../../../../model/provenance.ts";
import {
  type DesiredRecordSet,
  type RecordSet,
  recordSetKeyText,
} from "../../../../model/record-set.ts";
import type { Hold } from "../../../../plan/changes.ts";
import { holdReason } from "../../../../plan/hold-reasons.ts";
import type { FenceStatus } from "../../../../sync/contract/fence-status.ts";
import type {
  ExistingSet,
  MarkerRecord,
  NameClaim,
  NameExplanation,
  SynthesizedAnswer,
  UnreadZone,
} from "../../../../sync/contract/name-explanation.ts";
import type { HeldSetStatus } from "../../../../sync/contract/zone-status.ts";
import { providerLine, type UnreadObject } from "../../../api/blind-spots.ts";
import type { AliasEnd, AnsweredExplanation, ExplainDocument } from "../../../api/documents.ts";
import { dataIn, heldOpOf } from "../../../api/plan/document.ts";
import type { ServerAnswer } from "../../../compose/authority/ask-servers.ts";
import { changesText } from "./history-text.ts";
import { wouldText } from "./plan-lines.ts";
import { ownerIdsText } from "./rights-text.ts";

/** There is one block for each zone that could hold the name; a closing newline. */
export function explainText(document: ExplainDocument): string {
  const { name, zones, wishes: listingObjects, providers, unread } = document;
  const { caches, clusters, dryRun, history, further = [] } = document;
  const blocks =
    zones.length === 0
      ? [`${shownName(name)}: no open zone contains it.`]
      : zones.map((zone) => block(zone, { troubled: listingObjects, further }));
  const more = [
    ...section("last changes", history === undefined ? [] : changesText(history), null),
    ...section(NOT_PUBLISHED, listingObjects.map(listingObjectText), null),
    ...section("clusters", clusters.map(printable), null),
    ...section("could be held by", providers.map(providerLine), null),
    ...section("not read", unread.map(notReadText), null),
    ...section("not complete yet", caches.map(printable), null),
  ];
  const head = dryRun === null ? "" : `${printable(dryRun)}\n`;
  return `${head}${blocks.join("\n\n")}\n${more.map((line) => `${line}\n`).join("")}`;
}

function listingObjectText({ object, state, message }: ListingObject): string {
  const what = state === "" ? object : `${object}: ${state}`;
  return printable(message === "" ? what : `${what}: ${message}`);
}

function notReadText({ object, where }: UnreadObject): string {
  const text = `${object} names it in ${where}, for external-dns, which Zonekeeper does not read; set ${NAMES_ANNOTATION}`;
  return printable(text);
}

const NOT_PUBLISHED = "objects that are not published as they are now";

const NO_CLAIM = {
  none: "by no object",
  troubled: "by objects that are not published, see the end",
} as const;

interface BlockContext {
  readonly troubled: readonly ListingObject[];
  /** Further source clusters, which are named with their objects. */
  readonly further: readonly string[];
}

function block(it: AnsweredExplanation, { troubled, further }: BlockContext): string {
  const clusters = new Set(it.claims.map(({ object }) => object.cluster));
  const isTroubled = ({ object }: NameClaim): boolean =>
    troubled.some((one) => one.object === resourceOf(object) && one.cluster === object.cluster);
  const ownerIds = ownerIdsText(it.apex, it.fences);
  return [
    `${shownName(it.name)} in zone ${it.zone.zone}`,
    ...section(
      "wanted",
      it.claims.map((claim) => {
        const text = claimText(claim, clusters.size > 1 || further.includes(claim.object.cluster));
        const isKept = claim.place === "first" && isTroubled(claim);
        return isKept ? `${text}: kept from before, see the end` : text;
      }),
      NO_CLAIM[troubled.length === 0 ? "none" : "troubled"],
    ),
    ...contentLines(it),
    // Answers that come from records at other names: wildcard, DNAME, the end of a CNAME.
    ...(it.synthesized === undefined ? [] : synthesizedLines(it.synthesized)),
    ...(it.alias === undefined ? [] : [`  ${aliasText(it.alias)}`]),
    ...(it.fence?.mode === "stopped" ? [`  zone: nothing is written: ${it.fence.message}`] : []),
    ...(ownerIds === null ? [] : [`  ${ownerIds}`]),
    ...section("held", it.holds.flatMap(holdLines), null),
    ...(it.ownerQuestion === undefined ? [] : [`  zone: ${it.ownerQuestion}`]),
    ...(it.paused === null ? [] : [`  paused: ${it.paused}`]),
    ...section("waits for approval", it.heldSets.map(heldSetText), null),
    ...section("the servers answer", (it.answers ?? []).flatMap(serverLines), null),
    ...(it.lastOutcome === null ? [] : [`  last outcome: ${it.lastOutcome}`]),
    ...(it.nextTryAtMs === null ? [] : [`  next try: ${timeText(it.nextTryAtMs)}`]),
  ]
    .map(printable)
    .join("\n");
}

/**
 * The records of the zone at the name, and their owner. "Not known" is never shown as "nothing".
 */
function contentLines(it: AnsweredExplanation): readonly string[] {
  const { unread, standing, marks = [] } = it;
  if (unread?.readAtMs === null)
    return [`  in the zone: not known, ${unreadText(unread)}`, "  owner: not known"];
  const seen = unread === undefined ? "" : `, as last read at ${timeText(unread.readAtMs)}`;
  const records = marks.map((mark) => markerRecordText(mark, it));
  const sets = [...standing.map(existingSetText), ...records];
  return [
    ...(unread === undefined ? [] : [`  zone: ${unreadText(unread)}`]),
    ...section(`in the zone${seen}`, sets, "nothing"),
    `  owner: ${ownerText(it)}`,
  ];
}

function synthesizedLines(synthesized: SynthesizedAnswer): readonly string[] {
  const { is, at, sets } = synthesized;
  const title =
    is === "wildcard"
      ? `answered by the wildcard ${at}`
      : `below the DNAME at ${at}, which answers for it; a record here is not found`;
  return section(title, sets.map(recordText), null);
}

function aliasText({ chain, is }: AliasEnd): string {
  const [last = ""] = chain.slice(-1);
  const where = `leads to ${chain.join(" and then ")}`;
  switch (is) {
    case "answers":
      return where;
    case "nowhere":
      return `${where}, which has no address: nothing is found there. Correct the target, or give ${last} an address`;
    case "unknown":
      return `${where}; whether that answers is not known`;
  }
}

function unreadText({ sinceMs, message }: UnreadZone): string {
  if (sinceMs === null) return "it is being read for the first time";
  return `it cannot be read since ${timeText(sinceMs)}: ${message}`;
}

/** A held change: why, what it would do, and what ends the hold. */
function holdLines(hold: Hold): readonly string[] {
  const { key, code, message, change = null, proof = null } = hold;
  const reason = holdReason(code);
  const would = wouldText({ heldOp: heldOpOf(hold), ...dataIn(change), proof });
  return [
    `${key.type}: ${code}: ${message}`,
    ...(would === "" ? [] : [`  what would be done: ${would}`]),
    ...(reason === null ? [] : [`  what to do: ${reason.remedy}`]),
  ];
}

function serverLines({ server, serial, answers, trouble }: ServerAnswer): readonly string[] {
  const state = serial === null ? "" : `, serial ${serial}`;
  const lines = answers.map((answer) => `  ${answer}`);
  const failed = trouble === null ? [] : [`  cannot be asked: ${trouble}`];
  return [`${server}${state}`, ...lines, ...failed];
}

/**
 * `A 192.0.2.1   by service/default/web: …`; the object that has the name needs no further words.
 */
function claimText({ object, set, place: rank, reason }: NameClaim, isMany: boolean): string {
  const who = isMany ? `${resourceOf(object)} of cluster ${object.cluster}` : resourceOf(object);
  const listingObject = `${set === null ? "no record now" : recordText(set)}   by ${who}`;
  switch (rank) {
    case "first":
      return listingObject;
    case "behind":
      return `${listingObject}: does not get the name; ${reason}`;
    case "shares":
      return `${listingObject}: ${reason}`;
    case "held":
      return `${listingObject}: has the name, and is held (${reason})`;
    case "refused":
      return `${listingObject}: takes no part; ${reason}`;
    case "waits": {
      const lacks =
        reason === "NoTargets" ? " and has no address" : ", and what it wants there cannot be read";
      return `${listingObject}: it lists the name${lacks}; the published record is kept (${reason})`;
    }
    case "leaves":
      return `${listingObject}: it is being deleted`;
  }
}

function existingSetText({ type, data, whose, owners, resource }: ExistingSet): string {
  const what = data === null ? `${type} (only its marker)` : recordText(data);
  const object = resource === null ? "" : ` for ${resource}`;
  switch (whose) {
    case "ours":
      return `${what}   ours${object}`;
    case "another":
      return `${what}   ${ofOwner(owners.join())}${object}: not touched`;
    case "nobody":
      return `${what}   without an owner: foreign, not touched`;
    case "contested":
      return `${what}   contested by ${owners.map((owner) => `"${owner}"`).join(" and ")}: no owner may write until one of the markers is removed`;
  }
}

/** A marker, permit or fence at this name, and the `explain` commands for the names it marks. */
function markerRecordText(mark: MarkerRecord, { name, fence }: NameExplanation): string {
  const { set, of } = mark;
  const records = of.map((key) => recordSetKeyText(key)).join(" and ");
  const names = [...new Set(of.map((key) => key.name))].filter((other) => other !== name);
  const hint = names.map((other) => `; see zonekeeper explain '${other}'`).join("");
  switch (mark.is) {
    case "marker":
      return `${recordText(set)}   ${markerText(mark, records)}${hint}`;
    case "permit":
      return `${recordText(set)}   a permit for ${records}${hint}`;
    case "fence":
      return `${recordText(set)}   ${fenceText(mark, fence)}`;
    case "unknown":
      return `${recordText(set)}   has the form of a marker and belongs to no existing record`;
  }
}

function markerText(mark: MarkerRecord, records: string): string {
  const { whose, owner, resource, format, beside } = mark;
  if (whose === null) return `markers of several owners in one record set, for ${records}`;
  const what = beside === undefined ? "a marker" : "a second marker";
  const by = whose === "ours" ? "of ours" : ofOwner(owner ?? "");
  const which = format === null ? "" : ` (format ${format})`;
  const object = resource === null ? "" : `, ${resource}`;
  const text = `${what} ${by}${which} for ${records}${object}`;
  if (beside !== undefined) return `${text}; the marker at ${beside.join(" and ")} decides`;
  const isIdle = format !== null && whose === "ours";
  return isIdle ? `${text}; it gives no right, because this registry keeps another format` : text;
}

/** Which installation may write, and whether that is this one. */
function fenceText(mark: MarkerRecord, own: FenceStatus | undefined): string {
  const { whose, owner, fence = null } = mark;
  const id = owner === null ? "" : ` "${owner}"`;
  const ofOther = owner === null ? "another owner id" : `the owner id${id}`;
  const what = `the fence of ${whose === "ours" ? `our owner id${id}` : ofOther}`;
  if (fence === null) return `${what}, in a form that this version cannot read`;
  const { domain, epoch, contestedBy } = fence;
  const isThis = whose === "ours" && own !== undefined && own.domain === domain;
  const who = `${isThis ? "this installation" : "the installation"} ${domain}`;
  const other = contestedBy === domain ? "a copy of its cluster" : contestedBy;
  const dispute = other === null ? "" : `; ${other} disputes it, so neither writes`;
  return `${what}: ${who} writes to the zone, in epoch ${epoch}${dispute}`;
}

/** The owner is empty when its marker proves no right; the hold at the name says why. */
function ofOwner(owner: string): string {
  return owner === "" ? "of an owner that its marker does not prove" : `of the owner "${owner}"`;
}

function heldSetText({ hash, kind, changes }: HeldSetStatus): string {
  const which = kind === "next-removals" ? "the next set, behind an earlier one" : "a set";
  return `${which}, ${changes} changes: zonekeeper approve ${hash}`;
}

/** An international name in both forms: the A-label is what DNS has and what nobody can imitate. */
function shownName(name: DnsName): string {
  const unicode = toUnicode(name);
  return unicode === null ? name : `${name} (${unicode})`;
}

function ownerText({ owner, resource, current, standing, marks = [] }: NameExplanation): string {
  if (owner !== null) return resource === null ? owner : `${owner}, for ${resource}`;
  if (marks.length > 0 && standing.length === 0) return "none: the name has ownership records only";
  return current.length === 0 ? "none" : "none: the record is foreign and is not touched";
}

function section(
  title: string,
  lines: readonly string[],
  otherwise: string | null,
): readonly string[] {
  if (lines.length === 0) return otherwise === null ? [] : [`  ${title}: ${otherwise}`];
  return [`  ${title}:`, ...lines.map((line) => `    ${line}`)];
}

/** `A 300 192.0.2.1, 192.0.2.2`; a TTL that nothing asks for is left out. */
function recordText(set: RecordSet | DesiredRecordSet): string {
  const identifier = set.setIdentifier === null ? "" : ` [${set.setIdentifier}]`;
  const ttl = set.ttlSeconds === null ? "" : ` ${set.ttlSeconds}`;
  return `${set.type}${identifier}${ttl} ${set.values.join(", ")}`;
}
