/**
 * One subscription of Azure: reads its zones and writes record sets, one a call. Batching, retries
 * and ownership are not its business. Record sets have ETags; a bounded number of them is kept, and
 * one that is missing is read before its record set is written.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import {
  compareKeys,
  hasSameData,
  type RecordSet,
  recordSetKeyText,
} from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import type {
  Capabilities,
  ProviderEnvironment,
  ProviderSession,
  ZoneSnapshot,
} from "../provider.ts";
import { BoundedMap } from "../shared/bounded-map.ts";
import { explained, incomplete, shownTrouble } from "../shared/call-rules.ts";
import { PARTLY_MADE } from "../shared/failed-calls.ts";
import { AzureApi, type Listing } from "./api.ts";
import { auditSet } from "./audit.ts";
import {
  fromRecordSet,
  isEmptySet,
  metadataOf,
  normalizeSet,
  relativeName,
  toRecordSet,
  zoneName,
} from "./convert.ts";
import { explain, isExisting, outcomeOf } from "./failures.ts";
import { type Flavour, KNOWN_SETS_MAX } from "./flavours.ts";
import type { AzureOptions } from "./options.ts";

/** A record set as it was last read or written. */
interface KnownSet {
  readonly set: RecordSet;
  readonly etag: string;
  readonly metadata: Fields;
}

/** See `ProviderSession`. Methods may be called concurrently. */
export class AzureSession implements ProviderSession {
  readonly capabilities: Capabilities;
  readonly rateKey: string;
  readonly #options: AzureOptions;
  readonly #flavour: Flavour;
  readonly #environment: ProviderEnvironment;
  readonly #api: AzureApi;
  readonly #known = new BoundedMap<KnownSet>(KNOWN_SETS_MAX);
  /** Pages of each zone when it was last listed; at most one entry for each zone. */
  readonly #pagesOf = new Map<string, number>();
  /** Record sets of types that are never asked for, as the last listing of each zone has them. */
  readonly #unaskedOf = new Map<string, readonly RecordSet[]>();
  #pace: () => Promise<void> = async () => undefined;

  constructor(options: AzureOptions, flavour: Flavour, environment: ProviderEnvironment) {
    this.#options = options;
    this.#flavour = flavour;
    this.#environment = environment;
    this.#api = new AzureApi(options, flavour, environment);
    this.capabilities = flavour.capabilities;
    this.rateKey = `${flavour.type} ${options.origin} ${options.subscription}`;
  }

  pace(before: () => Promise<void>): void {
    this.#pace = before;
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const { subscription } = this.#options;
    const path = `/subscriptions/${subscription}/providers/Microsoft.Network/${this.#flavour.resource}`;
    const { items } = await this.#list(path, "the zones cannot be listed", signal);
    return items.map(fieldsOf).flatMap((fields) => this.#toZone(fields));
  }

  /** A question is for one name and type, so that few names already cost more than a listing. */
  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const unique = names === null ? null : [...new Set(names)];
    const pages = this.#pagesOf.get(zone.id) ?? 1;
    const types = [...this.#flavour.capabilities.types];
    const isListed = unique === null || unique.length * types.length > pages;
    const read = isListed
      ? await this.#readZone(zone, signal)
      : await this.#readNames(zone, unique, signal);
    const wanted = unique === null ? null : new Set(unique);
    const sets = read.sets.filter(({ name }) => wanted?.has(name) ?? true);
    return { sets: [...sets].sort(compareKeys), token: null, pages: read.calls };
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone, this.#flavour);
  }

  normalize(set: RecordSet): RecordSet {
    return normalizeSet(set, this.#flavour);
  }

  /** A PUT or DELETE for each group; `capabilities` say that there is one. */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    for (const group of groups) yield await this.#applyGroup(zone, group, signal);
  }

  close(): void {
    this.#api.close();
  }

  /** In order; whatever fails after the first change leaves a name that must be read. */
  async #applyGroup(zone: Zone, group: ChangeGroup, signal: AbortSignal): Promise<Outcome> {
    const { name } = group;
    let isBegun = false;
    for (const change of group.changes) {
      if (isBegun) await this.#pace();
      const failure = await this.#applyChange(zone, change, signal);
      if (failure === CHANGED && !isBegun)
        return { name, status: "precondition-failed", message: CHANGED };
      if (failure !== null) {
        // Throws where nothing was done: what is known stays.
        const outcome = isBegun ? PARTLY_MADE : outcomeOf(failure, group);
        this.#known.forget(keyOf(zone, setOf(change)));
        return { ...outcome, name };
      }
      isBegun = true;
    }
    return { name, status: "applied" };
  }

  /** Null = it was made. */
  async #applyChange(zone: Zone, change: Change, signal: AbortSignal): Promise<unknown> {
    const set = setOf(change);
    try {
      const present = change.op === "create" ? null : await this.#presentOf(zone, set, signal);
      if (change.op !== "create" && !isAsRead(present, change.previous)) return CHANGED;
      const written = await this.#write(zone, change, { present, signal }).catch((error: unknown) =>
        this.#fillEmpty(zone, change, { error, signal }),
      );
      return written === null && change.op === "remove" ? CHANGED : null;
    } catch (error) {
      return shownTrouble(this.#environment, error, "the change was not made");
    }
  }

  /** Null = there was nothing to delete. */
  async #write(
    zone: Zone,
    change: Change,
    { present, signal }: { readonly present: KnownSet | null; readonly signal: AbortSignal },
  ): Promise<Fields | null> {
    const set = setOf(change);
    const path = setPath(zone, set, this.#zonePath(zone));
    const isNew = present === null;
    const headers = isNew ? { "if-none-match": "*" } : { "if-match": present.etag };
    const body =
      change.op === "remove" ? null : fromRecordSet(set, this.#flavour, present?.metadata ?? {});
    const method = body === null ? "DELETE" : "PUT";
    const call = { path, headers, method, body, changes: zone.name } as const;
    const answer = await this.#api.write(call, signal);
    this.#known.forget(keyOf(zone, set));
    if (body !== null) this.#learn(zone, answer);
    return answer;
  }

  /** No reading shows an empty record set, and a create meets it; as it was read it is taken. */
  async #fillEmpty(
    zone: Zone,
    change: Change,
    { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
  ): Promise<Fields | null> {
    if (change.op !== "create" || !isExisting(error)) throw error;
    const { next: set } = change;
    await this.#pace();
    const item = await this.#api.get(setPath(zone, set, this.#zonePath(zone)), signal);
    const etag = textOf(fieldsOf(item)["etag"]);
    if (etag === null || !isEmptySet(item, set.type)) throw error;
    await this.#pace();
    return this.#write(zone, change, {
      present: { set, etag, metadata: metadataOf(item) },
      signal,
    });
  }

  /** As it is known, else as it is read. */
  async #presentOf(zone: Zone, set: RecordSet, signal: AbortSignal): Promise<KnownSet | null> {
    const known = this.#known.at(keyOf(zone, set));
    if (known !== null) return known;
    await this.#pace();
    const item = await this.#api.get(setPath(zone, set, this.#zonePath(zone)), signal);
    this.#learn(zone, item);
    return this.#known.at(keyOf(zone, set));
  }

  /** What an answer says of a record set. */
  #learn(zone: Zone, item: unknown): RecordSet | null {
    const set = toRecordSet(item, zone);
    const etag = textOf(fieldsOf(item)["etag"]);
    if (set !== null && etag !== null)
      this.#known.put(keyOf(zone, set), { set, etag, metadata: metadataOf(item) });
    return set;
  }

  async #readZone(zone: Zone, signal: AbortSignal): Promise<ReadSets> {
    const what = `the zone ${zone.name} cannot be read`;
    const path = `${this.#zonePath(zone)}/${this.#flavour.listing}`;
    const { items, calls } = await this.#list(path, what, signal);
    const sets = items.flatMap((item) => this.#learn(zone, item) ?? []);
    if (!sets.some(({ type }) => type === "SOA"))
      throw incomplete(`${what}: the answer has no SOA record`);
    this.#pagesOf.set(zone.id, calls);
    const { types } = this.#flavour.capabilities;
    this.#unaskedOf.set(
      zone.id,
      sets.filter(({ type }) => !types.has(type)),
    );
    return { sets, calls };
  }

  async #readNames(zone: Zone, names: readonly DnsName[], signal: AbortSignal): Promise<ReadSets> {
    const unasked = this.#unaskedOf.get(zone.id) ?? [];
    const sets = unasked.filter(({ name }) => names.includes(name));
    let calls = 0;
    for (const name of names)
      for (const type of this.#flavour.capabilities.types) {
        if (calls > 0) await this.#pace();
        calls += 1;
        const path = setPath(zone, { name, type }, this.#zonePath(zone));
        const item = await this.#read(`the zone ${zone.name} cannot be read`, () =>
          this.#api.get(path, signal),
        );
        sets.push(
          ...(item === null ? [] : [this.#learn(zone, item)].filter((one) => one !== null)),
        );
      }
    return { sets, calls };
  }

  #list(path: string, what: string, signal: AbortSignal): Promise<Listing> {
    const pace = (): Promise<void> => this.#pace();
    return this.#read(what, () => this.#api.list(path, { pace, signal }));
  }

  #read<T>(what: string, call: () => Promise<T>): Promise<T> {
    return explained(call, { environment: this.#environment, what, explain });
  }

  /** The id has the resource group before the name of the zone. */
  #zonePath({ id }: Zone): string {
    const [group = "", name = ""] = id.split("/").map(encodeURIComponent);
    const { subscription } = this.#options;
    return `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network/${this.#flavour.resource}/${name}`;
  }

  #toZone(fields: Fields): readonly Zone[] {
    const { type, isPrivate } = this.#flavour;
    const [id, name] = [textOf(fields["id"]) ?? "", textOf(fields["name"])];
    const group = /\/resourceGroups\/([^/]+)\//i.exec(id)?.[1];
    const kind = textOf(fieldsOf(fields["properties"])["zoneType"]);
    // The public service once had private zones; they are the other service's now.
    if (group === undefined || name === null || (!isPrivate && kind === "Private")) return [];
    return [
      {
        id: `${group}/${name}`,
        name: zoneName(name),
        providerType: type,
        endpoint: new URL(this.#options.origin).host,
        view: this.#options.subscription,
        ...(isPrivate ? { visibility: "private" } : {}),
      },
    ];
  }
}

/** Record sets, and the calls that it took. */
interface ReadSets {
  readonly sets: readonly RecordSet[];
  readonly calls: number;
}

function setPath(zone: Zone, { name, type }: Pick<RecordSet, "name" | "type">, at: string): string {
  return `${at}/${type}/${encodeURIComponent(relativeName(name, zone))}`;
}

function keyOf(zone: Zone, set: RecordSet): string {
  return `${zone.id} ${recordSetKeyText(set)}`;
}

function isAsRead(present: KnownSet | null, previous: RecordSet): present is KnownSet {
  return present !== null && hasSameData(present.set, previous);
}

const CHANGED = "the record set is not as it was read";

function setOf(change: Change): RecordSet {
  return change.op === "remove" ? change.previous : change.next;
}
