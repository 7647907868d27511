/**
 * One subscription of Azure: its zones, and record sets that are written one a call, by their
 * ETags; one whose ETag is not known is read before it is written.
 */
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change } from "../../plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../provider.ts";
import { type Calls, SetSession } from "../shared/call-session.ts";
import { withoutDot } from "../shared/dotted-rdata.ts";
import type { Listing } from "../shared/pages.ts";
import { changedCall } from "../shared/refused-call.ts";
import { writtenSet } from "../shared/vendor-session.ts";
import { vendorType } from "../shared/vendor-type.ts";
import { AzureApi, isExisting, REFUSALS } from "./api.ts";
import {
  auditSet,
  fromRecordSet,
  isEmptySet,
  metadataOf,
  normalizeSet,
  relativeName,
  toRecordSet,
} from "./convert.ts";
import { type Flavour, PRIVATE, PUBLIC } from "./flavours.ts";
import { type AzureOptions, parseOptions } from "./options.ts";

/** A record set as it was last read or written. */
interface KnownSet {
  readonly set: RecordSet;
  readonly etag: string;
  readonly metadata: Fields;
}

/** See `VendorSession`. */
class AzureSession extends SetSession<KnownSet> {
  readonly capabilities: Capabilities;
  readonly rateKey: string;
  readonly #options: AzureOptions;
  readonly #flavour: Flavour;
  readonly #subscriptionPath: string;
  readonly #api: AzureApi;

  constructor(options: AzureOptions, flavour: Flavour, environment: ProviderEnvironment) {
    super(environment, REFUSALS);
    this.#options = options;
    this.#flavour = flavour;
    this.#api = new AzureApi(options, flavour, environment);
    this.#subscriptionPath = `/subscriptions/${encodeURIComponent(options.subscription)}`;
    this.capabilities = flavour.capabilities;
    this.rateKey = `${flavour.type} ${options.origin} ${options.subscription}`;
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const path = `${this.#subscriptionPath}/providers/Microsoft.Network/${this.#flavour.resource}`;
    const { items } = await this.#list(path, "the zones cannot be listed", signal);
    return items.map(fieldsOf).flatMap((fields) => this.#toZone(fields) ?? []);
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone, this.#flavour);
  }

  normalize(set: RecordSet): RecordSet {
    return normalizeSet(set, this.#flavour);
  }

  close(): void {
    this.#api.close();
  }

  /** A call is for one name and type, so that few names already cost more than a listing. */
  protected override questionsMax(): number {
    return 0;
  }

  protected override worthKeeping(items: readonly KnownSet[]): readonly KnownSet[] {
    return items.filter(({ etag }) => etag !== "");
  }

  protected async listZone(zone: Zone, signal: AbortSignal): Promise<Listing<KnownSet>> {
    const path = `${this.#zonePath(zone)}/${this.#flavour.listing}`;
    const what = `the zone ${zone.name} cannot be read`;
    const { items, calls } = await this.#list(path, what, signal);
    return { items: items.flatMap((item) => toKnown(item, zone) ?? []), calls };
  }

  protected override async readSet(zone: Zone, set: RecordSet, signal: AbortSignal): Promise<void> {
    const item = await this.#api.getSet(this.#setPath(zone, set), signal);
    this.learnSet(zone, set, toKnown(item, zone));
  }

  protected async makeChange(zone: Zone, change: Change, { send, signal }: Calls): Promise<null> {
    const present =
      change.op === "create" ? null : await this.present(zone, change.previous, signal);
    const write = (known: KnownSet | null) => this.#write(zone, change, known, signal);
    await send(() =>
      write(present).catch(async (error: unknown) => {
        if (change.op !== "create" || !isExisting(error)) throw error;
        const empty = await this.#emptySet(zone, change.next, signal);
        if (empty === null) throw error;
        await this.turn();
        return write(empty);
      }),
    );
    return null;
  }

  /** Refused where there was nothing to delete. */
  async #write(
    zone: Zone,
    change: Change,
    known: KnownSet | null,
    signal: AbortSignal,
  ): Promise<void> {
    const set = writtenSet(change);
    const [path, changes] = [this.#setPath(zone, set), zone.name];
    const headers: HttpHeaders = known ? { "if-match": known.etag } : { "if-none-match": "*" };
    const body =
      change.op === "remove" ? null : fromRecordSet(set, this.#flavour, known?.metadata ?? {});
    const method = body === null ? "DELETE" : "PUT";
    const answer = await this.#api.write({ path, headers, method, body, changes }, signal);
    this.learnSet(zone, set, body === null ? null : toKnown(answer, zone));
    if (answer === null) throw changedCall("the record set is not as it was read");
  }

  /** No reading shows an empty record set, and a create meets it; as it was read it is taken. */
  async #emptySet(zone: Zone, set: RecordSet, signal: AbortSignal): Promise<KnownSet | null> {
    await this.turn();
    const item = await this.#api.getSet(this.#setPath(zone, set), signal);
    const etag = textOf(fieldsOf(item)["etag"]);
    if (etag === null || !isEmptySet(item, set.type)) return null;
    return { set, etag, metadata: metadataOf(item) };
  }

  #list(path: string, what: string, signal: AbortSignal): Promise<Listing> {
    return this.read(what, () => this.#api.list(path, { pace: this.turn, signal }));
  }

  #setPath(zone: Zone, { name, type }: Pick<RecordSet, "name" | "type">): string {
    return `${this.#zonePath(zone)}/${type}/${encodeURIComponent(relativeName(name, zone))}`;
  }

  /** The id has the resource group before the name of the zone. */
  #zonePath({ id }: Zone): string {
    const [group = "", name = ""] = id.split("/").map(encodeURIComponent);
    return `${this.#subscriptionPath}/resourceGroups/${group}/providers/Microsoft.Network/${this.#flavour.resource}/${name}`;
  }

  #toZone(fields: Fields): Zone | null {
    const { type, isPrivate } = this.#flavour;
    const [id, name] = [textOf(fields["id"]) ?? "", textOf(fields["name"])];
    const group = /\/resourceGroups\/([^/]+)\//i.exec(id)?.[1];
    const kind = textOf(fieldsOf(fields["properties"])["zoneType"]);
    // The public service once had private zones; they are the other service's now.
    if (group === undefined || name === null || (!isPrivate && kind === "Private")) return null;
    // Names of resource groups are equal in any letter case.
    const only = this.#options.group?.toLowerCase() ?? null;
    if (only !== null && only !== group.toLowerCase()) return null;
    return {
      id: `${group}/${name}`,
      name: withoutDot(name),
      providerType: type,
      endpoint: new URL(this.#options.origin).host,
      view: this.#options.subscription,
      visibility: isPrivate ? "private" : "public",
    };
  }
}

/** Secret: `AZURE_SUBSCRIPTION_ID`, `AZURE_TENANT_ID` …; see options.ts for the rest. */
export const AZURE_PROVIDER = providerOf(PUBLIC);
/** The same Secret. */
export const AZURE_PRIVATE_PROVIDER = providerOf(PRIVATE);

function providerOf(flavour: Flavour) {
  return vendorType(
    flavour.type,
    parseOptions,
    (options, environment) => new AzureSession(options, flavour, environment),
  );
}

/** Null = it is no record set, or an empty one. */
function toKnown(item: unknown, zone: Zone): KnownSet | null {
  const set = toRecordSet(item, zone);
  const etag = textOf(fieldsOf(item)["etag"]) ?? "";
  return set && { set, etag, metadata: metadataOf(item) };
}
