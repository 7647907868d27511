/**
 * One account of an Infoblox Grid: the zones of a DNS view, and transactions whose operations name
 * objects by their references.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../provider.ts";
import { type Batch, heldTogether, type Sent } from "../shared/batch-session.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import { incomplete } from "../shared/failed-calls.ts";
import { allOf, countOf, itemsOf, type Listing } from "../shared/pages.ts";
import { type NamedRecord, RecordSession } from "../shared/record-session.ts";
import type { Question } from "../shared/vendor-session.ts";
import { InfobloxApi, isAboutGroup, type Query, REFUSALS } from "./api.ts";
import { type Operation, toTransaction } from "./batch.ts";
import { auditSet, type KnownRecord, normalizeSet, toRecordSets, toRecords } from "./convert.ts";
import { CAPABILITIES, KNOWN_RECORDS_MAX, OPERATIONS_MAX, TTL_SECONDS_DEFAULT } from "./limits.ts";
import { RECORD_OBJECTS, type RecordObject } from "./objects.ts";
import type { InfobloxOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
export const INFOBLOX_TYPE = "infoblox-dns";

/** Names of one question: each is asked for in every kind of object. */
const NAMES_PER_QUESTION = Math.floor(OPERATIONS_MAX / RECORD_OBJECTS.length);

/** See `VendorSession`. */
export class InfobloxSession extends RecordSession<KnownRecord> {
  readonly audit = auditSet;
  readonly normalize = normalizeSet;
  protected readonly toSets = toRecordSets;
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #options: InfobloxOptions;
  readonly #api: InfobloxApi;
  /** By zone id; at most one entry for each zone. */
  readonly #factsOf = new Map<string, ZoneFacts>();

  constructor(options: InfobloxOptions, environment: ProviderEnvironment) {
    super(environment, { refusals: REFUSALS, itemsMax: KNOWN_RECORDS_MAX });
    this.#options = options;
    this.#api = new InfobloxApi(options, environment);
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const query = {
      view: this.#options.view,
      _return_fields: "fqdn,view,zone_format,disable,primary_type,soa_default_ttl",
    };
    const what = "the zones cannot be listed";
    const { items } = await this.#list("zone_auth", query, what, signal);
    return items.map(fieldsOf).flatMap((zone) => this.#toZone(zone) ?? []);
  }

  close(): void {
    this.#api.close();
  }

  /** The Grid may have a name in Unicode: a question for its A-labels would miss it. */
  protected override questions(names: readonly DnsName[]): readonly Question[] | null {
    if (names.some((name) => name.split(".").some((label) => label.startsWith("xn--"))))
      return null;
    const questions: Question[] = [];
    for (let at = 0; at < names.length; at += NAMES_PER_QUESTION) {
      const [first, ...more] = names.slice(at, at + NAMES_PER_QUESTION);
      if (first !== undefined) questions.push([first, ...more]);
    }
    return questions;
  }

  protected async listZone(
    zone: Zone,
    signal: AbortSignal,
  ): Promise<Listing<NamedRecord<KnownRecord>>> {
    const facts = await this.#facts(zone, signal);
    const items: NamedRecord<KnownRecord>[] = [];
    let calls = 0;
    for (const kind of RECORD_OBJECTS) {
      if (calls > 0) await this.turn();
      const query = { zone: facts.fqdn, view: zone.view, _return_fields: kind.fields };
      const what = `the zone ${zone.name} cannot be read`;
      const listing = await this.#list(kind.object, query, what, signal);
      items.push(...recordsOf(kind, listing.items, { zone, facts }));
      calls += listing.calls;
    }
    return { items, calls };
  }

  /** Calls that read are no changes, although `request` is sent by POST. */
  protected async ask(
    zone: Zone,
    names: Question,
    signal: AbortSignal,
  ): Promise<Listing<NamedRecord<KnownRecord>>> {
    const facts = await this.#facts(zone, signal);
    const what = `the zone ${zone.name} cannot be read`;
    const questions = names.flatMap((name) => RECORD_OBJECTS.map((kind) => ({ name, kind })));
    const calls = questions.map(({ name, kind }) => ({
      method: "GET",
      object: kind.object,
      data: { name, zone: facts.fqdn, view: zone.view },
      args: { _return_fields: kind.fields },
    }));
    return this.read(what, async () => {
      const answers = await this.#api.request(calls, null, signal);
      if (answers.length !== questions.length)
        throw incomplete(`${what}: the answer does not have one list for each question`);
      const items = questions.flatMap(({ name, kind }, at) =>
        recordsOf(kind, itemsOf(answers[at]), { zone, facts }).filter((one) => one.name === name),
      );
      return { items, calls: 1 };
    });
  }

  protected batchOf(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Batch<NamedRecord<KnownRecord>> {
    const { extraAttributes } = this.#options;
    const creation = { view: zone.view, ...(extraAttributes && { extattrs: extraAttributes }) };
    const { operations, troubles } = toTransaction(groups, this.recordsAt(zone), creation);
    return {
      held: heldTogether(groups, troubles),
      isAbout: isAboutGroup,
      send: () => this.#send(zone, operations, signal),
    };
  }

  /** The Grid answers the reference of each object, which a change of its value changes. */
  async #send(
    zone: Zone,
    operations: readonly Operation[],
    signal: AbortSignal,
  ): Promise<Sent<NamedRecord<KnownRecord>>> {
    if (operations.length === 0) return { after: new Map() };
    const calls = operations.map(({ method, object, data }) => ({
      ...{ method, object },
      ...(data && { data }),
    }));
    const answers = await this.#api.request(calls, zone.name, signal);
    const gone = new Set(operations.map(({ object }) => object));
    const come = operations.flatMap(({ name, after }, at): readonly NamedRecord<KnownRecord>[] => {
      const ref = textOf(answers[at]) ?? textOf(fieldsOf(answers[at])["_ref"]);
      return after === null || ref === null ? [] : [{ name, record: { ...after, ref } }];
    });
    const names = operations.map(({ name }) => name);
    return this.sent(zone, names, { isGone: ({ ref }) => gone.has(ref), come });
  }

  #list(object: string, query: Query, what: string, signal: AbortSignal): Promise<Listing> {
    return this.read(what, () => this.#api.list(object, query, { pace: this.turn, signal }));
  }

  /** Known from the listing of zones. */
  async #facts(zone: Zone, signal: AbortSignal): Promise<ZoneFacts> {
    if (!this.#factsOf.has(zone.id)) await this.zones(signal);
    return this.#factsOf.get(zone.id) ?? { ttl: TTL_SECONDS_DEFAULT, fqdn: zone.name };
  }

  /** Networks are no zones of names, and are written as such: `192.0.2.0/24`. */
  #toZone(fields: Fields): Zone | null {
    const [id, name] = [textOf(fields["_ref"]), textOf(fields["fqdn"])];
    const isForward = (textOf(fields["zone_format"]) ?? "FORWARD") === "FORWARD";
    const isDisabled = String(fields["disable"]) === "true";
    const isElsewhere = isDisabled || fields["primary_type"] === "External";
    if (id === null || name === null || !isForward || isElsewhere) return null;
    const ttl = countOf(fields["soa_default_ttl"]) ?? TTL_SECONDS_DEFAULT;
    this.#factsOf.set(id, { ttl, fqdn: name });
    return {
      id,
      name: nameFromUnicode(name),
      providerType: INFOBLOX_TYPE,
      endpoint: new URL(this.#options.server).host,
      view: textOf(fields["view"]) ?? this.#options.view,
    };
  }
}

interface ZoneFacts {
  /** Seconds of records without a TTL of their own. */
  readonly ttl: number;
  /** As the Grid writes it, which may be in Unicode. */
  readonly fqdn: string;
}

function recordsOf(
  kind: RecordObject,
  items: readonly unknown[],
  { zone, facts }: { readonly zone: Zone; readonly facts: ZoneFacts },
): readonly NamedRecord<KnownRecord>[] {
  return allOf(items, (one) => toRecords(kind, one, facts.ttl), `the zone ${zone.name}`)
    .flat()
    .filter(({ name }) => isAtOrBelow(name, zone.name));
}
