/**
 * One PowerDNS Authoritative Server behind its HTTP API: reads zones and sends PATCHes. Batching,
 * retries and ownership are not its business. One PATCH at a time: back ends of databases answer
 * 500 to two at once.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import { compareKeys, isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { VendorClient } from "../../ports/vendor-http.ts";
import type {
  Capabilities,
  ProviderEnvironment,
  ProviderSession,
  ZoneSnapshot,
} from "../provider.ts";
import { BoundedMap } from "../shared/bounded-map.ts";
import { explained, incomplete, shownTrouble } from "../shared/call-rules.ts";
import { withDot, withoutDot } from "../shared/dotted-rdata.ts";
import { refusedTogether } from "../shared/failed-calls.ts";
import { callJson } from "../shared/json-call.ts";
import { RefusedCall } from "../shared/refused-call.ts";
import { auditSet } from "./audit.ts";
import { type KnownSet, normalizeSet, toKnownSet } from "./convert.ts";
import { explain, outcomesOf, textOfRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS, CAPABILITIES, KNOWN_NAMES_MAX, QUESTIONS_MAX } from "./limits.ts";
import type { PowerDnsOptions } from "./options.ts";
import { keyOf, toPatch } from "./patch.ts";
import { searchFor, setsFound } from "./search.ts";

/** As in `DNSProvider.spec.type`. */
export const POWERDNS_TYPE = "powerdns";

/** Kinds of zones whose records are this server's own (4.x and 5.x words). */
const WRITABLE_KINDS = /^(Native|Master|Primary)$/i;

/** See `ProviderSession`. Methods may be called concurrently. */
export class PowerDnsSession implements ProviderSession {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #options: PowerDnsOptions;
  readonly #environment: ProviderEnvironment;
  readonly #client: VendorClient;
  readonly #known = new BoundedMap<readonly KnownSet[]>(KNOWN_NAMES_MAX);
  /** By zone id: whether its back end can be searched; at most one entry for each zone. */
  readonly #isSearched = new Map<string, boolean>();
  readonly #stopped = new AbortController();
  #lastPatch: Promise<unknown> = Promise.resolve();
  #pace: () => Promise<void> = async () => undefined;

  constructor(options: PowerDnsOptions, environment: ProviderEnvironment) {
    this.#options = options;
    this.#environment = environment;
    const { server: origin, caCertificate: ca } = options;
    this.#client = environment.http({ origin, ...(ca === null ? {} : { tls: { ca } }) });
  }

  pace(before: () => Promise<void>): void {
    this.#pace = before;
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const what = "the zones cannot be listed";
    const items = await this.#read("/zones", what, signal);
    if (!Array.isArray(items)) throw incomplete(`${what}: the answer holds no list`);
    return items.map(fieldsOf).flatMap((zone) => this.#toZone(zone));
  }

  /** Few names one by one, many by the whole zone, which is one answer. */
  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const wanted = names === null ? null : new Set(names);
    const read = await this.#readSets(zone, wanted, signal);
    const sets = read.sets.filter(({ name }) => wanted?.has(name) ?? true);
    return { sets: [...sets].sort(compareKeys), token: null, pages: read.calls };
  }

  audit(set: RecordSet, zone: Zone): readonly Problem[] {
    return auditSet(set, zone);
  }

  normalize(set: RecordSet): RecordSet {
    return normalizeSet(set);
  }

  /** One PATCH for all groups; a name that is not known is read before. */
  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncIterable<Outcome> {
    if (groups.length === 0) return;
    const outcomes = this.#lastPatch.then(() => this.#send(zone, groups, signal));
    this.#lastPatch = outcomes.catch(() => undefined);
    yield* await outcomes;
  }

  close(): void {
    this.#stopped.abort();
    this.#client.close();
  }

  async #send(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> {
    const names = new Set(
      groups.flatMap(({ changes }) => changes.map(keyOf)).map(({ name }) => name),
    );
    // Whether records are still disabled is asked again before a refusal.
    const isUnread = (name: DnsName): boolean =>
      this.#known.at(`${zone.id} ${name}`) === null || this.#hasDisabled(zone, name);
    const unread = [...names].filter((name) => isAtOrBelow(name, zone.name) && isUnread(name));
    if (unread.length > 0) {
      await this.#pace();
      await this.#readSets(zone, new Set(unread), signal);
    }
    const patch = toPatch(groups, (name) => this.#known.at(`${zone.id} ${name}`) ?? []);
    if (patch.refused.size > 0) {
      this.#forget(zone, names);
      return groups.map(({ name }, index) => patch.refused.get(index) ?? refusedTogether(name));
    }
    try {
      const change = { body: { rrsets: patch.rrsets }, changes: zone.name };
      await this.#call(zonePath(zone), change, signal);
    } catch (error) {
      const shown = shownTrouble(this.#environment, error, "the changes were not made");
      // Throws where nothing was done: what is known stays.
      const outcomes = outcomesOf(shown, groups);
      this.#forget(zone, names);
      return outcomes;
    }
    for (const [name, sets] of patch.after) this.#known.put(`${zone.id} ${name}`, sets);
    return groups.map(({ name }) => ({ name, status: "applied" }));
  }

  #forget(zone: Zone, names: Iterable<DnsName>): void {
    for (const name of names)
      if (!this.#hasDisabled(zone, name)) this.#known.forget(`${zone.id} ${name}`);
  }

  /** What was read, of other names too, and the calls that it took. */
  async #readSets(
    zone: Zone,
    wanted: ReadonlySet<DnsName> | null,
    signal: AbortSignal,
  ): Promise<ReadSets> {
    if (wanted === null || wanted.size > QUESTIONS_MAX)
      return this.#readWhole(zone, wanted, signal);
    const names = [...wanted];
    const found = await this.#askNames(zone, names, signal);
    if (found === null || this.#isHiding(zone, wanted, found)) {
      await this.#pace();
      const whole = await this.#readWhole(zone, wanted, signal);
      return { ...whole, calls: names.length + whole.calls };
    }
    this.#keep(zone, wanted, found);
    return { sets: shownSets(found), calls: names.length };
  }

  async #readWhole(
    zone: Zone,
    wanted: ReadonlySet<DnsName> | null,
    signal: AbortSignal,
  ): Promise<ReadSets> {
    const found = await this.#ask(zone, "", signal);
    const sets = shownSets(found);
    if (!sets.some(({ type }) => type === "SOA"))
      throw incomplete(`the zone ${zone.name} cannot be read: the answer has no SOA record`);
    this.#keep(zone, wanted ?? new Set(found.map(({ set }) => set.name)), found);
    return { sets, calls: 1 + (await this.#trySearch(zone, signal)) };
  }

  /** Once for each zone, or until it is answered; the calls that it took. */
  async #trySearch(zone: Zone, signal: AbortSignal): Promise<number> {
    const path = searchFor(zone.name);
    if (path === null || this.#isSearched.has(zone.id)) return 0;
    await this.#pace();
    // A proxy may let zones pass alone.
    const apex = await this.#search(zone, zone.name, { path, signal }).catch(() => null);
    if (apex !== null)
      this.#isSearched.set(
        zone.id,
        apex.some(({ set }) => set.type === "SOA"),
      );
    return 1;
  }

  /** Null = there may be more. One that fails is not tried again before the next listing. */
  async #search(
    zone: Zone,
    name: DnsName,
    { path, signal }: { readonly path: string; readonly signal: AbortSignal },
  ): Promise<readonly KnownSet[] | null> {
    const what = `the zone ${zone.name} cannot be read`;
    try {
      const answer = await this.#read(path, what, signal);
      if (!Array.isArray(answer)) throw incomplete(`${what}: the answer to a search is no list`);
      return setsFound(answer, zone, name);
    } catch (error) {
      this.#isSearched.delete(zone.id);
      throw error;
    }
  }

  /** Null = an answer may lack records. */
  async #askNames(
    zone: Zone,
    names: readonly DnsName[],
    signal: AbortSignal,
  ): Promise<readonly KnownSet[] | null> {
    const known: KnownSet[] = [];
    for (const [index, name] of names.entries()) {
      if (index > 0) await this.#pace();
      const path = this.#isSearched.get(zone.id) === true ? searchFor(name) : null;
      const found =
        path === null
          ? await this.#ask(zone, questionFor(name), signal)
          : await this.#search(zone, name, { path, signal });
      if (found === null) return null;
      known.push(...found);
    }
    return known;
  }

  /** All record sets of the answer. */
  async #ask(zone: Zone, question: string, signal: AbortSignal): Promise<readonly KnownSet[]> {
    const what = `the zone ${zone.name} cannot be read`;
    const answer = fieldsOf(await this.#read(zonePath(zone) + question, what, signal));
    const items = answer["rrsets"];
    if (!Array.isArray(items)) throw incomplete(`${what}: the answer holds no record sets`);
    return items.map(toKnownSet).filter((one) => one !== null);
  }

  /**
   * A question for a name leaves disabled records out, and the whole zone shows them (tried on
   * 4.7.3): true where some are known, or a value is missing, which may be disabled now. A search
   * shows them.
   */
  #isHiding(zone: Zone, names: ReadonlySet<DnsName>, found: readonly KnownSet[]): boolean {
    if (this.#isSearched.get(zone.id) === true) return false;
    return [...names].some((name) => {
      const before = this.#known.at(`${zone.id} ${name}`) ?? [];
      return before.some(({ set, hasDisabled }) => {
        const now = found.find((one) => isSameKey(one.set, set))?.set.values ?? [];
        return hasDisabled || set.values.some((value) => !now.includes(value));
      });
    });
  }

  #hasDisabled(zone: Zone, name: DnsName): boolean {
    return this.#known.at(`${zone.id} ${name}`)?.some(({ hasDisabled }) => hasDisabled) ?? false;
  }

  #keep(zone: Zone, names: ReadonlySet<DnsName>, sets: readonly KnownSet[]): void {
    const byName = new Map<DnsName, KnownSet[]>([...names].map((name) => [name, []]));
    for (const one of sets) byName.get(one.set.name)?.push(one);
    for (const [name, found] of byName) this.#known.put(`${zone.id} ${name}`, found);
  }

  #read(path: string, what: string, signal: AbortSignal): Promise<unknown> {
    const call = (): Promise<unknown> => this.#call(path, READS, signal);
    return explained(call, { environment: this.#environment, what, explain });
  }

  /** One that writes answers null. Throws RefusedCall, or OperationError where nobody answers. */
  async #call(
    path: string,
    { body, changes }: PatchCall | typeof READS,
    signal: AbortSignal,
  ): Promise<unknown> {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const { apiKey, serverId } = this.#options;
    const answer = await callJson(this.#client, {
      method: body === null ? "GET" : "PATCH",
      path: `/api/v1/servers/${serverId}${path}`,
      headers: { "x-api-key": apiKey },
      body,
      changes,
      signal: AbortSignal.any([signal, this.#stopped.signal, timeout]),
    });
    const { status, isGood, text, json, retryAfterMs } = answer;
    if (!isGood) throw new RefusedCall({ status, text: textOfRefusal(json ?? text), retryAfterMs });
    if (body !== null && text === "") return null;
    if (json === undefined) throw new Error("the answer is not JSON, or not whole");
    return json;
  }

  #toZone(fields: Fields): readonly Zone[] {
    const [id, name] = [textOf(fields["id"]), textOf(fields["name"])];
    const isOwn = WRITABLE_KINDS.test(textOf(fields["kind"]) ?? "");
    // `example.org..inner` is a variant of a zone, for views of 5.x.
    if (id === null || name === null || !isOwn || /\.\.[^.]/.test(name)) return [];
    const { server, serverId } = this.#options;
    const url = new URL(server);
    const path = url.pathname === "/" ? "" : url.pathname;
    return [
      {
        id,
        name: withoutDot(name),
        providerType: POWERDNS_TYPE,
        endpoint: `${url.host}${path}`,
        view: serverId === "localhost" ? "" : serverId,
      },
    ];
  }
}

interface ReadSets {
  readonly sets: readonly RecordSet[];
  readonly calls: number;
}

interface PatchCall {
  readonly body: Fields;
  /** The zone's apex. */
  readonly changes: DnsName;
}

const READS = { body: null, changes: null } as const;

function shownSets(known: readonly KnownSet[]): readonly RecordSet[] {
  return known.map(({ set }) => set).filter(({ values }) => values.length > 0);
}

function zonePath({ id }: Zone): string {
  return `/zones/${encodeURIComponent(id)}`;
}

/** A server that does not know the filter answers with all record sets. */
function questionFor(name: DnsName): string {
  return `?rrset_name=${encodeURIComponent(withDot(name))}`;
}
