/**
 * Previews a move to external-dns: which records of ours it would not take for its own, or would
 * remove, and what to do. Judged by external-dns's own rule of marker names (registry/mapper
 * @v0.22); a marker is the TXT record that names a record's owner. Reads only.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { FastifyInstance } from "fastify";
import { isInScope } from "../../model/external-dns-rules.ts";
import { labelledBy, markerName, type NameTemplate } from "../../ownership/txt/name-template.ts";
import type { OwnershipRow, ZoneOwnership } from "../../sync/contract/ownership-rows.ts";
import type { SpokenDialect, Work } from "../compose/instance.ts";
import { blindSpots } from "./blind-spots.ts";
import { answer, type ExportedZone, type ExportRemark } from "./documents.ts";
import { OPEN_NAMES_HEADER, UNKNOWN_ZONES_HEADER } from "./exchange.ts";
import type { CallerBehind } from "./readers/caller.ts";

/**
 * How external-dns will be started, and what it will find. Where this program runs with
 * external-dns's options, `dialectOf` gives these; affixes that were given go before them.
 */
export interface ExportContext {
  readonly affixes: NameTemplate;
  /** Names that objects list in external-dns's annotations, or in the rules of an Ingress. */
  readonly named: ReadonlySet<DnsName>;
  readonly dialectOf: Work["dialectOf"];
}

/** Types that external-dns manages unless it is told otherwise (`--managed-record-types`). */
const MANAGED: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME"]);

/** Lists what external-dns will not understand, or will remove, zone by zone. */
export function exportOf(
  zones: readonly ZoneOwnership[],
  context: ExportContext,
): readonly ExportedZone[] {
  return zones.map(({ key, zone, owners, rows }) => {
    const dialect = context.dialectOf(key);
    const isGiven = Object.values(context.affixes).some((one) => one !== "");
    const affixes = isGiven ? context.affixes : (dialect?.rules.markers ?? context.affixes);
    const own = rows.filter(({ whose, permit, owners: marked }) => {
      const isOrphanedPermit = permit !== null && marked.length === 0;
      return whose === "ours" || isOrphanedPermit || marked.some((one) => owners.includes(one));
    });
    const remarks = own.flatMap((row) =>
      messagesOn(row, zone.name, { ...context, affixes, dialect }).map(
        (message): ExportRemark => ({ name: row.name, type: row.type, message }),
      ),
    );
    return {
      zone: zone.name,
      records: own.filter(({ values }) => values !== null).length,
      remarks,
    };
  });
}

interface ZoneContext extends Omit<ExportContext, "dialectOf"> {
  /**
   * The external-dns options of this program; null = it has none, so that those of the other are
   * unknown.
   */
  readonly dialect: SpokenDialect | null;
}

function messagesOn(row: OwnershipRow, apex: DnsName, context: ZoneContext): readonly string[] {
  const { permit, marker, values, whose } = row;
  const permits = permit === null ? [] : [PERMIT];
  if (marker === null) return permits;
  if (whose !== "ours") return [CONTESTED, ...permits];
  if (values === null) return [HALF, ...permits];
  const { markerName: at = apex } = row;
  const kept = reasonsToKeep(row, { at, apex }, context);
  // external-dns removes only records that it takes for its own.
  const isRemoved = kept.length === 0 && !isKept(row, context);
  const signed = marker.includes("external-dns/sig=") ? [SIGNED] : [];
  const { dialect } = context;
  const removed = dialect === null ? removedText(row) : UNWANTED;
  return [...(isRemoved ? [removed] : kept), ...signed, ...permits];
}

/** Why external-dns neither updates nor removes a record of ours. */
function reasonsToKeep(
  row: OwnershipRow,
  marker: { readonly at: DnsName; readonly apex: DnsName },
  { affixes, dialect }: ZoneContext,
): readonly string[] {
  const hasKey = dialect?.rules.markers.isEncrypted === true;
  const hidden = formTrouble(row, hasKey) ?? nameTrouble(row, marker, affixes);
  const types = dialect?.rules.types ?? MANAGED;
  const unmanaged = `external-dns leaves ${row.type} records alone unless --managed-record-types=${row.type} is given`;
  return [...(hidden === null ? [] : [hidden]), ...(types.has(row.type) ? [] : [unmanaged])];
}

const PERMIT =
  "its permit stays: external-dns knows none; remove the annotation that gives it first";
const HALF =
  "a marker without its record stays for ever: see zonekeeper ownership orphans, and remove it by hand";
const CONTESTED = "two owners claim it: settle that first";
const SIGNED =
  "the signature of its marker goes with external-dns's next write, and --marker-signing require refuses it then";

/**
 * True = external-dns will want the record, too. A DNSEndpoint (`crd`) needs no annotation for
 * that.
 */
function isKept({ name, resource, wantedBy }: OwnershipRow, { named, dialect }: ZoneContext) {
  if (dialect === null) return named.has(name) || resource?.startsWith("crd/") === true;
  const { rules, policy } = dialect;
  return wantedBy !== null || policy !== "sync" || !isInScope(name, rules.scope);
}

const UNWANTED =
  "external-dns removes it, because no object that its filters let in wants it: mend that object, or start external-dns with --policy=upsert-only";

function removedText({ resource }: OwnershipRow): string {
  const isEntry = resource?.startsWith("dnsentry/") ?? true;
  const remedy = isEntry
    ? "write a DNSEndpoint for it"
    : `give ${resource} the annotation external-dns.kubernetes.io/hostname`;
  return `external-dns removes it, because no object here names it in external-dns's annotations: ${remedy}, or start external-dns with --policy=upsert-only`;
}

/** Why external-dns cannot read the marker's text; null = it can. */
function formTrouble(
  { format, isPending, marker, markerName: at }: OwnershipRow,
  hasKey: boolean,
): string | null {
  if (format !== undefined)
    return `its marker has the format ${format}: write it with --registry txt before`;
  if (at === undefined)
    return "its owner is not written in the zone: write it with --registry txt before";
  if (isPending) return "a write of it is under way: ask again when zonekeeper plan is empty";
  if (!hasKey && marker?.includes("heritage=external-dns") !== true)
    return "its marker is encrypted: give external-dns the same key (--txt-encrypt-enabled, --txt-encrypt-aes-key)";
  return null;
}

/** Why external-dns does not find the marker under its name; null = it does. */
function nameTrouble(
  { name, type }: OwnershipRow,
  { at, apex }: { readonly at: DnsName; readonly apex: DnsName },
  affixes: NameTemplate,
): string | null {
  // external-dns: a marker whose name has no record type counts for all types but AAAA.
  const isRead = labelledBy(affixes, at, apex).some(
    (one) => one.name === name && (one.type ?? (type === "AAAA" ? null : type)) === type,
  );
  if (isRead) return null;
  const expected = markerName(affixes, { name, type }, { apex, starInNames: true });
  const where = `its marker is at ${at}`;
  if (expected !== null)
    return `${where}, and external-dns looks at ${expected}: zonekeeper registry migrate --yes moves it where its new place is free, if this instance has the same --txt options`;
  const why = name === apex ? "beside the zone" : "at no name that is possible";
  return `${where}, and external-dns would look ${why}: it never updates or removes the record; keep it by hand, or use --txt-prefix=_owner.%{record_type}. --txt-wildcard-replacement=_wildcard on both sides`;
}

interface Asked {
  readonly Querystring: {
    readonly prefix?: string;
    readonly suffix?: string;
    readonly wildcard?: string;
  };
}

/** Adds the route to an API that asks for the token already. */
export function addExportApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  api.get<Asked>("/api/v1/export/external-dns", async (request, reply) => {
    const { instance } = callerBehind(request);
    const { prefix = "", suffix = "", wildcard = "" } = request.query;
    const rights = await instance.work.rights(null);
    // external-dns lowers its affixes when it starts.
    const affixes = {
      prefix: prefix.toLowerCase(),
      suffix: suffix.toLowerCase(),
      wildcard: wildcard.toLowerCase(),
    };
    const elsewhere = await instance.work.namedElsewhere(() => true);
    const named = new Set(elsewhere.map(({ name }) => name));
    const { dialectOf } = instance.work;
    const zones = exportOf(rights, { affixes, named, dialectOf });
    const unknown = blindSpots(rights, null, instance.work.troubles(null));
    const open = zones.reduce((sum, { remarks }) => sum + remarks.length, 0);
    return answer(
      reply,
      { schema: "zonekeeper.dev/export/v1", program: "external-dns", affixes, zones, unknown },
      { [OPEN_NAMES_HEADER]: open, [UNKNOWN_ZONES_HEADER]: unknown.length },
    );
  });
}
