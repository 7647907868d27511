/**
 * One project of OpenStack: reads its zones and writes record sets, one a call. Batching, retries
 * and ownership are not its business. Record sets are written by id; a bounded number of ids is
 * kept, and one that is missing is read before its record set is written.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, numberOf, textOf } from "@zonekeeper/kube/objects/object-fields";
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
  Propagation,
  ProviderEnvironment,
  ProviderSession,
  ZoneSnapshot,
} from "../provider.ts";
import { BoundedMap } from "../shared/bounded-map.ts";
import { explained, incomplete, shownTrouble } from "../shared/call-rules.ts";
import { withDot, withoutDot } from "../shared/dotted-rdata.ts";
import { PARTLY_MADE } from "../shared/failed-calls.ts";
import { RefusedCall } from "../shared/refused-call.ts";
import { DesignateApi, type DesignateCall, type Listing } from "./api.ts";
import { auditSet } from "./audit.ts";
import { creationOf, normalizeSet, toRecordSet, updateOf } from "./convert.ts";
import { explain, outcomeOf } from "./failures.ts";
import { CAPABILITIES, KNOWN_SETS_MAX, QUESTIONS_MAX, TTL_SECONDS_DEFAULT } from "./limits.ts";
import type { DesignateOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
export const DESIGNATE_TYPE = "openstack-designate";

/** The API tells no more than the status. */
const IN_ERROR: Propagation = {
  is: "failed",
  message:
    "the record set is in ERROR at Designate, which tries again by itself; where that lasts, ask its operator, whose log of designate-worker says why",
};

/** A record set as it was last read or written. */
interface KnownSet {
  readonly set: RecordSet;
  readonly id: string;
}

/** See `ProviderSession`. Methods may be called concurrently. */
export class DesignateSession implements ProviderSession {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #environment: ProviderEnvironment;
  readonly #api: DesignateApi;
  readonly #known = new BoundedMap<KnownSet>(KNOWN_SETS_MAX);
  /** Seconds of record sets without a TTL, and pages, by zone; at most one entry for each zone. */
  readonly #ttlOf = new Map<string, number>();
  readonly #pagesOf = new Map<string, number>();
  #pace: () => Promise<void> = async () => undefined;

  constructor(options: DesignateOptions, environment: ProviderEnvironment) {
    this.#environment = environment;
    this.#api = new DesignateApi(options, environment);
  }

  pace(before: () => Promise<void>): void {
    this.#pace = before;
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const what = "the zones cannot be listed";
    const endpoint = await this.#read(what, () => this.#api.endpoint());
    const { items } = await this.#list("/zones", "zones", { what, signal });
    return items.map(fieldsOf).flatMap((fields) => this.#toZone(fields, endpoint));
  }

  /** Few names one by one; more by the whole zone, where that takes no more calls. */
  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const wanted = names === null ? null : new Set(names);
    const questionsMax = Math.max(QUESTIONS_MAX, this.#pagesOf.get(zone.id) ?? 1);
    const isWhole = wanted === null || wanted.size > questionsMax;
    const read = isWhole
      ? await this.#readZone(zone, signal)
      : await this.#readNames(zone, [...wanted], signal);
    const sets = read.sets.filter(({ name }) => wanted?.has(name) ?? true);
    return { sets: [...sets].sort(compareKeys), token: null, pages: read.calls };
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone);
  }

  normalize(set: RecordSet): RecordSet {
    return normalizeSet(set);
  }

  /** A POST, PUT or DELETE for each group; `capabilities` say that there is one. */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    for (const group of groups) yield await this.#applyGroup(zone, group, signal);
  }

  /** The receipt is the id of the record set; one that is gone was removed everywhere. */
  async propagationOf(zone: Zone, receipt: string, signal: AbortSignal): Promise<Propagation> {
    const path = `${setsPath(zone)}/${encodeURIComponent(receipt)}`;
    const what = `the record set ${receipt} cannot be read`;
    const fields = await this.#read(what, () => this.#api.get(path, signal));
    if (fields === null || fields["status"] === "ACTIVE") return { is: "live" };
    return fields["status"] === "ERROR" ? IN_ERROR : { is: "pending" };
  }

  close(): void {
    this.#api.close();
  }

  /** In order; whatever fails after the first change leaves a name that must be read. */
  async #applyGroup(zone: Zone, group: ChangeGroup, signal: AbortSignal): Promise<Outcome> {
    const { name } = group;
    let receipt: string | null = null;
    for (const [index, change] of group.changes.entries()) {
      try {
        receipt = await this.#applyChange(zone, change, signal);
      } catch (error) {
        const shown = shownTrouble(this.#environment, error, "the change was not made");
        // Throws where nothing was done: what is known stays.
        const outcome = index > 0 ? PARTLY_MADE : outcomeOf(shown, group);
        this.#known.forget(keyOf(zone, setOf(change)));
        return { ...outcome, name };
      }
    }
    return { name, status: "applied", ...(receipt === null ? {} : { receipt }) };
  }

  /** The receipt; null = all servers have it. Refused if the set is not as it was read. */
  async #applyChange(zone: Zone, change: Change, signal: AbortSignal): Promise<string | null> {
    const present = change.op === "create" ? null : await this.#presentOf(zone, change, signal);
    const fields = await this.#api.send(callOf(zone, change, present?.id ?? ""), signal);
    const key = keyOf(zone, setOf(change));
    this.#known.forget(key);
    const id = textOf(fields["id"]) ?? present?.id ?? null;
    if (change.op !== "remove" && id !== null) this.#known.put(key, { set: change.next, id });
    return fields["status"] === "ACTIVE" ? null : id;
  }

  /** As it is known, else as it is read. */
  async #presentOf(
    zone: Zone,
    { previous }: Exclude<Change, { readonly op: "create" }>,
    signal: AbortSignal,
  ): Promise<KnownSet> {
    const key = keyOf(zone, previous);
    if (this.#known.at(key) === null) {
      await this.#pace();
      await this.#readNames(zone, [previous.name], signal);
    }
    const present = this.#known.at(key);
    if (present === null || !hasSameData(present.set, previous)) throw changedSet();
    return present;
  }

  async #readZone(zone: Zone, signal: AbortSignal): Promise<ReadSets> {
    const what = `the zone ${zone.name} cannot be read`;
    const { items, calls } = await this.#list(setsPath(zone), "recordsets", { what, signal });
    const sets = items.flatMap((item) => this.#learn(zone, item) ?? []);
    if (!sets.some(({ type }) => type === "SOA"))
      throw incomplete(`${what}: the answer has no SOA record`);
    this.#pagesOf.set(zone.id, calls);
    return { sets, calls };
  }

  async #readNames(zone: Zone, names: readonly DnsName[], signal: AbortSignal): Promise<ReadSets> {
    const sets: RecordSet[] = [];
    let calls = 0;
    for (const name of names) {
      if (calls > 0) await this.#pace();
      const what = `the zone ${zone.name} cannot be read`;
      // A star in the question stands for any text: there may be more names in the answer.
      const path = `${setsPath(zone)}?name=${encodeURIComponent(withDot(name))}`;
      const listing = await this.#list(path, "recordsets", { what, signal });
      calls += listing.calls;
      const found = listing.items.flatMap((item) => this.#learn(zone, item) ?? []);
      sets.push(...found.filter((set) => set.name === name));
    }
    return { sets, calls };
  }

  /** What an answer says of a record set. */
  #learn(zone: Zone, item: unknown): RecordSet | null {
    const set = toRecordSet(item, this.#ttlOf.get(zone.id) ?? TTL_SECONDS_DEFAULT);
    const id = textOf(fieldsOf(item)["id"]);
    if (set !== null && id !== null) this.#known.put(keyOf(zone, set), { set, id });
    return set;
  }

  #list(
    path: string,
    items: string,
    { what, signal }: { readonly what: string; readonly signal: AbortSignal },
  ): Promise<Listing> {
    const pace = (): Promise<void> => this.#pace();
    return this.#read(what, () => this.#api.list(path, items, { pace, signal }));
  }

  #read<T>(what: string, call: () => Promise<T>): Promise<T> {
    return explained(call, { environment: this.#environment, what, explain });
  }

  /** Secondary zones are another server's, and a zone on its way out takes no changes. */
  #toZone(fields: Fields, endpoint: string): readonly Zone[] {
    const [id, name] = [textOf(fields["id"]), textOf(fields["name"])];
    const isPrimary = (textOf(fields["type"]) ?? "PRIMARY") === "PRIMARY";
    if (id === null || name === null || !isPrimary || fields["action"] === "DELETE") return [];
    const ttl = numberOf(fields["ttl"]) ?? Number(textOf(fields["ttl"]) ?? TTL_SECONDS_DEFAULT);
    this.#ttlOf.set(id, ttl);
    return [{ id, name: withoutDot(name), providerType: DESIGNATE_TYPE, endpoint, view: "" }];
  }
}

/** Record sets, and the calls that it took. */
interface ReadSets {
  readonly sets: readonly RecordSet[];
  readonly calls: number;
}

function changedSet(): RefusedCall {
  const text = "the record set is not as it was read";
  return new RefusedCall({ status: 412, text, reason: "changed", retryAfterMs: null });
}

function callOf(zone: Zone, change: Change, id: string): DesignateCall {
  const path = setsPath(zone);
  const { name: changes } = zone;
  if (change.op === "create")
    return { method: "POST", path, body: creationOf(change.next), changes };
  const at = `${path}/${encodeURIComponent(id)}`;
  return change.op === "replace"
    ? { method: "PUT", path: at, body: updateOf(change.next), changes }
    : { method: "DELETE", path: at, body: null, changes };
}

function setsPath({ id }: Zone): string {
  return `/zones/${encodeURIComponent(id)}/recordsets`;
}

function setOf(change: Change): RecordSet {
  return change.op === "remove" ? change.previous : change.next;
}

function keyOf(zone: Zone, set: RecordSet): string {
  return `${zone.id} ${recordSetKeyText(set)}`;
}
