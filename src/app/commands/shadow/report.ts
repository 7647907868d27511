/**
 * The report of `shadow`: would this program keep zones as a live external-dns does? Each record
 * set of its owner id is equal, different or an orphan; then objects that nobody serves, and what
 * is not known. As a document, and as text for people. Pure.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { ListingObject } from "../../../controllers/zone-choice/listing-objects.ts";
import {
  type ExternalDnsRules,
  isInScope,
  SHARED_OWNER,
} from "../../../model/external-dns-rules.ts";
import { printable } from "../../../model/printable.ts";
import type { Policy } from "../../../plan/rules.ts";
import type { OwnershipRow, ZoneOwnership } from "../../../sync/contract/ownership-rows.ts";
import { type PlanDocument, type PlanZone, planVerdict } from "../../api/plan/document.ts";
import type { PlanItem } from "../../api/plan/groups.ts";
import { wouldText } from "../ask/texts/plan-lines.ts";

/** The version grows when a field is removed or gets another meaning, not with new fields. */
const SHADOW_SCHEMA = "zonekeeper.dev/shadow/v1";

/**
 * `equal`: both keep it as it is. `different`: this program would change it, or cannot keep up with
 * its object. `orphan`: no object here wants it. `foreign`: an object wants it, and both leave it
 * to its other owner.
 */
type ShadowState = "equal" | "different" | "orphan" | "foreign";

/** A record set. */
export interface ShadowName {
  readonly zone: string;
  readonly name: string;
  readonly type: string;
  readonly setIdentifier: string | null;
  readonly state: ShadowState;
  /** The change of this program, made or held, and why; null = none. */
  readonly item: PlanItem | null;
  /** The object in its marker, or that wants it; null = not known. */
  readonly object: string | null;
  /** Why it is an orphan; empty where it is none. */
  readonly message: string;
}

/** A zone and its counts. */
interface ShadowZone extends Pick<PlanZone, "name" | "provider" | "endpoint" | "state"> {
  readonly counts: Readonly<Record<ShadowState, number>>;
}

/** The report. */
export interface ShadowDocument {
  readonly schema: typeof SHADOW_SCHEMA;
  readonly verdict: "equal" | "different" | "unknown";
  readonly owner: string;
  readonly policy: Policy;
  /** By name. */
  readonly zones: readonly ShadowZone[];
  /** By zone, name and type. */
  readonly names: readonly ShadowName[];
  /** Names of objects that get no record here, and why. */
  readonly unserved: readonly Omit<ListingObject, "cluster">[];
  /** Everything that could not be read, for people. */
  readonly unknown: readonly string[];
  /** Kinds of the sources whose definition is not installed: nothing of them is published. */
  readonly absent: readonly string[];
}

/** Everything that the report is made from. */
export interface ShadowInput {
  readonly owner: string;
  readonly policy: Policy;
  readonly rules: Pick<ExternalDnsRules, "scope">;
  /** The plan of all zones and names, without a limit. */
  readonly plan: PlanDocument;
  readonly rights: readonly ZoneOwnership[];
  /** All objects that list a name. */
  readonly listed: readonly ListingObject[];
  /** Everything that is not read yet, besides that of the plan. */
  readonly unread: readonly string[];
  readonly absent: ShadowDocument["absent"];
}

/** Makes the report. */
export function shadowDocument(input: ShadowInput): ShadowDocument {
  const { owner, policy, plan } = input;
  const names = shadowNames(input);
  const unknown = unknownOf(input);
  // While a zone is not known, it is not known which names no zone holds.
  const outside = unknown.length > 0 ? [] : outsideZones(input);
  const isDifferent =
    names.some(({ state }) => state === "different" || (state === "orphan" && policy === "sync")) ||
    (plan.unpublished ?? []).length > 0;
  return {
    schema: SHADOW_SCHEMA,
    verdict: unknown.length > 0 ? "unknown" : isDifferent ? "different" : "equal",
    owner,
    policy,
    zones: plan.zones
      .map(({ name, provider, endpoint, state }) => {
        const counts = { equal: 0, different: 0, orphan: 0, foreign: 0 };
        for (const one of names) if (one.zone === name) counts[one.state] += 1;
        return { name, provider, endpoint, state, counts };
      })
      .sort((a, b) => compareText(a.name, b.name)),
    names,
    unserved: [...(plan.unpublished ?? []), ...outside].map(({ object, name, state, message }) => ({
      ...{ object, name, state, message },
    })),
    unknown,
    absent: input.absent,
  };
}

function shadowNames({ plan, rights }: ShadowInput): readonly ShadowName[] {
  const items = plan.groups.flatMap((group) => group.items);
  const byKey = new Map(items.map((item) => [keyOf(item.zone, item), item]));
  const owned = rights.flatMap(({ zone, rows, adoption }) =>
    rows.flatMap((row) => {
      const isSo = row.wantedBy !== null && row.becomes === undefined;
      const isKeptHere = row.whose === "ours" || (isSo && adoption === "unmarked");
      return isKeptHere ? [{ zone: zone.name, row }] : [];
    }),
  );
  const keys = new Set(owned.map(({ zone, row }) => keyOf(zone, row)));
  const rest = items.filter((item) => !keys.has(keyOf(item.zone, item)));
  return [
    ...owned.map(({ zone, row }) => ownedName(zone, row, byKey.get(keyOf(zone, row)) ?? null)),
    ...rest.map(otherName),
  ].sort(
    (a, b) =>
      compareText(a.zone, b.zone) || compareText(a.name, b.name) || compareText(a.type, b.type),
  );
}

function ownedName(zone: string, row: OwnershipRow, item: PlanItem | null): ShadowName {
  const isKept = item?.op === "held" && item.to === null && row.wantedBy === null;
  const isOrphan =
    row.orphan !== undefined || (isKept && ["PolicyForbids", "Orphan"].includes(item.code));
  return {
    zone,
    ...keyFields(row),
    state: isOrphan ? "orphan" : item === null ? "equal" : "different",
    item,
    object: row.wantedBy ?? row.resource,
    message: isOrphan ? (row.orphan ?? item?.message ?? "") : "",
  };
}

/** Records of others that external-dns leaves to them, too. */
const OTHERS: ReadonlySet<string> = new Set(["ForeignRecord", "ForeignMarker"]);

function otherName(item: PlanItem): ShadowName {
  return {
    zone: item.zone,
    ...keyFields(item),
    state: OTHERS.has(item.code) ? "foreign" : "different",
    item,
    object: item.object,
    message: "",
  };
}

type Key = Pick<PlanItem, "name" | "type"> & { readonly setIdentifier?: string | null };

function keyFields({ name, type, setIdentifier = null }: Key) {
  return { name, type, setIdentifier };
}

function keyOf(zone: string, { name, type, setIdentifier = null }: Key): string {
  return `${zone} ${name} ${type} ${setIdentifier ?? ""}`;
}

/** Names in scope that no zone of the provider holds; external-dns does not publish them either. */
function outsideZones({ rights, listed, rules }: ShadowInput): readonly ListingObject[] {
  const isOutside = ({ name, state }: ListingObject): boolean =>
    state === "" &&
    isInScope(name, rules.scope) &&
    !rights.some(({ zone }) => isAtOrBelow(name, zone.name));
  const message = "no zone of the provider holds this name";
  return listed.filter(isOutside).map((one) => ({ ...one, state: "NoZone", message }));
}

function unknownOf({ plan, unread }: ShadowInput): readonly string[] {
  const zones = plan.zones
    .filter(({ state }) => state !== "ready")
    .map(({ name, state, message }) => `zone ${name}: ${message ?? state}`);
  const providers = plan.providers.map(({ message }) => `the provider: ${message}`);
  const all = [...new Set([...unread, ...plan.caches, ...(plan.clusters ?? [])])];
  const known = [...all, ...providers, ...zones];
  if (known.length > 0 || planVerdict(plan).unknown === 0) return known;
  return ["no zone is open: the provider shows none that the filters let through"];
}

const VERDICTS: Readonly<Record<ShadowDocument["verdict"], string>> = {
  equal: "Equal: this program would change nothing.",
  different: "Different: what is listed above would not be as it is.",
  unknown: "Unknown: something could not be read, so nothing is said of the rest.",
};

const MAY_BE_OF_OTHERS = ` Each external-dns without an owner id of its own has ${SHARED_OWNER}: these may be of another cluster.`;

/** A closing newline. */
export function shadowText(document: ShadowDocument): string {
  const { zones, names, unserved, unknown, absent, verdict, owner, policy } = document;
  const of = (state: ShadowName["state"]): readonly ShadowName[] =>
    names.filter((one) => one.state === state);
  const blocks = [
    [
      `Shadow: owner id ${owner}, policy ${policy}. Nothing was written.`,
      ...zones.map(
        ({ name, provider, counts }) =>
          `zone ${name} (${provider}): ${counts.equal} equal, ${counts.different} different, ${counts.orphan} orphans, ${counts.foreign} left to others`,
      ),
    ],
    titled("Different:", of("different").map(differentLine)),
    titled(
      `Orphans: they have the owner id, and no object here wants them.${owner === SHARED_OWNER ? MAY_BE_OF_OTHERS : ""}`,
      of("orphan").map(({ message, ...one }) => `${keyText(one)}: ${message}`),
    ),
    titled("Left to their other owner:", of("foreign").map(differentLine)),
    titled(
      "Not served:",
      unserved.map((one) => `${one.name} of ${one.object}: ${one.state}: ${one.message}`),
    ),
    titled("Not known:", unknown),
    titled("Not installed, and read as soon as their definitions are:", absent),
    [VERDICTS[verdict]],
  ];
  const full = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${full.join("\n\n")}\n`;
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${printable(line)}`)];
}

function keyText({ name, type, setIdentifier, object }: Omit<ShadowName, "message">): string {
  const member = setIdentifier === null ? "" : ` [${setIdentifier}]`;
  return `${name} ${type}${member}${object === null ? "" : ` of ${object}`}`;
}

function differentLine(one: ShadowName): string {
  const { item } = one;
  if (item === null) return keyText(one);
  const heldOp = item.op === "held" ? item.heldOp : item.op;
  const would = wouldText({ ...item, heldOp });
  return `${keyText(one)}: ${would === "" ? "" : `${would}; `}${item.code}: ${item.message}`;
}
