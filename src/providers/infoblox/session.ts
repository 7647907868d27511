/**
 * One account of an Infoblox Grid: the zones of a DNS view, and transactions whose operations name
 * objects by their references.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { Capabilities, ProviderEnvironment } from "../provider.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import { incomplete } from "../shared/failed-calls.ts";
import { allOf, countOf, itemsOf, type Listing } from "../shared/pages.ts";
import {
  type MovedRecords,
  type NamedRecord,
  type RecordOperation,
  RecordSession,
  type ValueChange,
} from "../shared/record-session.ts";
import { type Question, writtenSet } from "../shared/vendor-session.ts";
import { sessionType } from "../shared/vendor-type.ts";
import { InfobloxApi, type Query, REFUSALS } from "./api.ts";
import {
  auditSet,
  type KnownRecord,
  normalizeSet,
  toObject,
  toRecordSets,
  toRecords,
} from "./convert.ts";
import { CAPABILITIES, OPERATIONS_MAX, TTL_SECONDS_DEFAULT } from "./limits.ts";
import { OBJECT_OF, RECORD_OBJECTS, type RecordObject } from "./objects.ts";
import { type InfobloxOptions, parseOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
const INFOBLOX_TYPE = "infoblox-dns";

/** Names of one question: each is asked for in every kind of object. */
const NAMES_PER_QUESTION = Math.floor(OPERATIONS_MAX / RECORD_OBJECTS.length);

/** See `VendorSession`. */
class InfobloxSession extends RecordSession<KnownRecord, Operation> {
  readonly audit = auditSet;
  readonly normalize = normalizeSet;
  protected readonly toSets = toRecordSets;
  protected override readonly refuse = refusalOf;
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #options: InfobloxOptions;
  readonly #api: InfobloxApi;
  /** By zone id; at most one entry for each zone. */
  readonly #factsOf = new Map<string, ZoneFacts>();

  constructor(options: InfobloxOptions, environment: ProviderEnvironment) {
    super(environment, REFUSALS);
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
  protected override async ask(
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

  /**
   * What leaves and what comes in its place is one change of an object, which keeps what people
   * wrote beside it.
   */
  protected operationsOf(
    change: Change,
    { staying, going: left, coming }: ValueChange<KnownRecord>,
    { view }: Zone,
  ): readonly Operation[] {
    const set = writtenSet(change);
    // A disabled object of the same value is not ours to change.
    const going = left.filter(({ state }) => state === "plain");
    const { name, type, ttlSeconds } = set;
    const { object = "", isChangeable = false } = OBJECT_OF.get(type) ?? {};
    const pairs = isChangeable ? Math.min(going.length, coming.length) : 0;
    const { extraAttributes: extattrs } = this.#options;
    const creation = { name, view, ...(extattrs && { extattrs }) };
    const ttl = { ttl: ttlSeconds, use_ttl: true };
    const written = (
      method: Operation["method"],
      of: string,
      data: Fields,
      value: string,
    ): Operation => {
      const after = { type, value, ttlSeconds, state: "plain" } as const;
      return { method, object: of, data, after };
    };
    return [
      ...staying
        .filter((record) => record.ttlSeconds !== ttlSeconds)
        .map(({ ref, value }) => written("PUT", ref, ttl, value)),
      ...coming.slice(0, pairs).map((value, at) => {
        return written("PUT", going[at]?.ref ?? "", toObject(set, value), value);
      }),
      ...going.slice(pairs).map(({ ref }): Operation => {
        return { method: "DELETE", object: ref, data: null, after: null };
      }),
      ...coming.slice(pairs).map((value) => {
        return written("POST", object, { ...creation, ...toObject(set, value) }, value);
      }),
    ];
  }

  /** The Grid answers the reference of each object, which a change of its value changes. */
  protected async send(
    zone: Zone,
    unordered: readonly RecordOperation<Operation>[],
    signal: AbortSignal,
  ): Promise<MovedRecords<KnownRecord>> {
    const operations = METHODS.flatMap((of) => unordered.filter(({ method }) => method === of));
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
    return { isGone: ({ ref }) => gone.has(ref), come };
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
    const isDisabled = fields["disable"] === true;
    const isElsewhere = isDisabled || fields["primary_type"] === "External";
    if (id === null || name === null || !isForward || isElsewhere) return null;
    const ttl = countOf(fields["soa_default_ttl"]) ?? TTL_SECONDS_DEFAULT;
    this.#factsOf.set(id, { ttl, fqdn: name });
    const endpoint = new URL(this.#options.server).host;
    const view = textOf(fields["view"]) ?? this.#options.view;
    return { id, name: nameFromUnicode(name), providerType: INFOBLOX_TYPE, endpoint, view };
  }
}

/** Secret: `USERNAME`, `PASSWORD`; see options.ts for the rest. */
export const INFOBLOX_PROVIDER = sessionType(INFOBLOX_TYPE, parseOptions, InfobloxSession);

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

/** In the order in which the Grid carries them out. */
const METHODS = ["DELETE", "PUT", "POST"] as const;

/** One operation, and the record that is there after it. */
interface Operation {
  readonly method: (typeof METHODS)[number];
  /** A reference, or the kind of object to create. */
  readonly object: string;
  /** Null = a deletion. */
  readonly data: Fields | null;
  /** Its `ref` is that of the answer; null = it is gone. */
  readonly after: Omit<KnownRecord, "ref"> | null;
}

/** Why a change is not sent: what is in the way is not this program's to change. Null = nothing. */
function refusalOf(
  change: Change,
  known: readonly KnownRecord[],
  { name }: ChangeGroup,
): Outcome | null {
  const { type } = writtenSet(change);
  const previous = change.op === "create" ? [] : change.previous.values;
  const next = change.op === "remove" ? [] : change.next.values;
  const found = (wanted: KnownRecord["state"], values: readonly string[]) =>
    known.find((one) => one.type === type && one.state === wanted && values.includes(one.value));
  const readOnly = found("readOnly", previous);
  const disabled = found("disabled", next);
  const message = readOnly
    ? `the value ${readOnly.value} belongs to an object that is not written, such as a host record; remove that object, or use another name`
    : disabled &&
      `a disabled record with the value ${disabled.value} is there; enable it, or remove it`;
  if (message === undefined) return null;
  return { name, status: "rejected", code: "InfobloxReadOnly", message };
}
