/**
 * One project of OpenStack: its zones, and record sets that are written one a call, by their ids;
 * one whose id is not known is read before it is written.
 */
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change } from "../../plan/changes.ts";
import type { Capabilities, Propagation, ProviderEnvironment } from "../provider.ts";
import { type Calls, SetSession } from "../shared/call-session.ts";
import { withDot, withoutDot } from "../shared/dotted-rdata.ts";
import type { ApiCall } from "../shared/json-api.ts";
import { countOf, type Listing } from "../shared/pages.ts";
import { type Question, writtenSet } from "../shared/vendor-session.ts";
import { sessionType } from "../shared/vendor-type.ts";
import { DesignateApi, REFUSALS } from "./api.ts";
import { auditSet, creationOf, normalizeSet, toRecordSet, updateOf } from "./convert.ts";
import { CAPABILITIES, QUESTIONS_MAX, TTL_SECONDS_DEFAULT } from "./limits.ts";
import { type DesignateOptions, parseOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
const DESIGNATE_TYPE = "openstack-designate";

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

/** See `VendorSession`. */
class DesignateSession extends SetSession<KnownSet> {
  readonly audit = auditSet;
  readonly normalize = normalizeSet;
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly #api: DesignateApi;
  /** Seconds of record sets without a TTL, by zone; at most one entry for each zone. */
  readonly #ttlOf = new Map<string, number>();

  constructor(options: DesignateOptions, environment: ProviderEnvironment) {
    super(environment, REFUSALS);
    this.#api = new DesignateApi(options, environment);
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const what = "the zones cannot be listed";
    const endpoint = await this.read(what, () => this.#api.endpoint());
    const pacing = { pace: this.turn, signal };
    const { items } = await this.read(what, () => this.#api.list("/zones", "zones", pacing));
    return items.map(fieldsOf).flatMap((fields) => this.#toZone(fields, endpoint) ?? []);
  }

  /** The receipt is the id of the record set; one that is gone was removed everywhere. */
  async propagationOf(zone: Zone, receipt: string, signal: AbortSignal): Promise<Propagation> {
    const path = `${setsPath(zone)}/${encodeURIComponent(receipt)}`;
    const what = `the record set ${receipt} cannot be read`;
    const fields = await this.read(what, () => this.#api.get(path, signal));
    if (fields === null || fields["status"] === "ACTIVE") return { is: "live" };
    return fields["status"] === "ERROR" ? IN_ERROR : { is: "pending" };
  }

  close(): void {
    this.#api.close();
  }

  protected override questionsMax(zoneCalls: number | null): number {
    return Math.max(QUESTIONS_MAX, zoneCalls ?? 1);
  }

  protected listZone(zone: Zone, signal: AbortSignal): Promise<Listing<KnownSet>> {
    return this.#list(zone, setsPath(zone), signal);
  }

  /** A star in the question stands for any text: there may be more names in the answer. */
  protected override async ask(
    zone: Zone,
    [name]: Question,
    signal: AbortSignal,
  ): Promise<Listing<KnownSet>> {
    const path = `${setsPath(zone)}?name=${encodeURIComponent(withDot(name))}`;
    const { items, calls } = await this.#list(zone, path, signal);
    return { items: items.filter(({ set }) => set.name === name), calls };
  }

  protected async makeChange(
    zone: Zone,
    change: Change,
    { send, signal }: Calls,
  ): Promise<string | null> {
    const set = writtenSet(change);
    const before =
      change.op === "create" ? null : await this.present(zone, change.previous, signal);
    const call = callOf(zone, change, before?.id ?? "");
    const fields = await send(() => this.#api.send(call, signal));
    const id = textOf(fields["id"]) ?? before?.id ?? null;
    this.learnSet(zone, set, change.op === "remove" || id === null ? null : { set, id });
    return fields["status"] === "ACTIVE" ? null : id;
  }

  async #list(zone: Zone, path: string, signal: AbortSignal): Promise<Listing<KnownSet>> {
    const what = `the zone ${zone.name} cannot be read`;
    const pacing = { pace: this.turn, signal };
    const { items, calls } = await this.read(what, () =>
      this.#api.list(path, "recordsets", pacing),
    );
    const ttl = this.#ttlOf.get(zone.id) ?? TTL_SECONDS_DEFAULT;
    const known = items.map((item) => {
      const set = toRecordSet(item, ttl);
      return set && { set, id: textOf(fieldsOf(item)["id"]) ?? "" };
    });
    return { items: known.filter((one) => one !== null), calls };
  }

  /** Secondary zones are another server's, and a zone on its way out takes no changes. */
  #toZone(fields: Fields, endpoint: string): Zone | null {
    const [id, name] = [textOf(fields["id"]), textOf(fields["name"])];
    const isPrimary = (textOf(fields["type"]) ?? "PRIMARY") === "PRIMARY";
    if (id === null || name === null || !isPrimary || fields["action"] === "DELETE") return null;
    const ttl = countOf(fields["ttl"]) ?? TTL_SECONDS_DEFAULT;
    this.#ttlOf.set(id, ttl);
    return { id, name: withoutDot(name), providerType: DESIGNATE_TYPE, endpoint, view: "" };
  }
}

/** Secret: `OS_AUTH_URL` and a user or an application credential; see options.ts. */
export const DESIGNATE_PROVIDER = sessionType(DESIGNATE_TYPE, parseOptions, DesignateSession);

function callOf(zone: Zone, change: Change, id: string): ApiCall {
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
