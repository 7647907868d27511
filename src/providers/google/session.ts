/** One project of Google Cloud DNS: its zones, and changes that delete and add record sets. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { Capabilities, Propagation, ProviderEnvironment } from "../provider.ts";
import { type Batch, BatchSession, type Sent } from "../shared/batch-session.ts";
import { withDot, withoutDot } from "../shared/dotted-rdata.ts";
import { changedOutcome } from "../shared/failed-calls.ts";
import type { Listing } from "../shared/pages.ts";
import { unlessRefused } from "../shared/refused-call.ts";
import type { Question } from "../shared/vendor-session.ts";
import { sessionType } from "../shared/vendor-type.ts";
import { GoogleApi, type Listed, REFUSALS } from "./api.ts";
import { type FormOf, isForm, isOutdated, type SentChange, toChange } from "./changes.ts";
import { auditSet, normalizeSet, toRecordSets } from "./convert.ts";
import { CAPABILITIES } from "./limits.ts";
import { type GoogleOptions, parseOptions } from "./options.ts";

/** As in `DNSProvider.spec.type`. */
const GOOGLE_TYPE = "google-clouddns";

/**
 * See `VendorSession`. An item is a record set as it was read: with the members of a routing policy
 * it is one. Where a form is missing or old the API refuses the deletion, and the reading that
 * follows brings it.
 */
class GoogleSession extends BatchSession<Fields> {
  readonly audit = auditSet;
  readonly normalize = normalizeSet;
  readonly capabilities: Capabilities = CAPABILITIES;
  /** Quotas are for a project. */
  readonly rateKey: string;
  /** The API names them whole, and refuses those of other zones. */
  protected override readonly namesHosts = false;
  readonly #options: GoogleOptions;
  readonly #api: GoogleApi;

  constructor(options: GoogleOptions, environment: ProviderEnvironment) {
    super(environment, REFUSALS);
    this.#options = options;
    this.#api = new GoogleApi(options, environment);
    this.rateKey = `${GOOGLE_TYPE} ${options.origin} ${options.project ?? "of the node"}`;
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    const { items } = await this.#list("the managed zones cannot be listed", ZONES, signal);
    const project = await this.#api.project();
    return items.flatMap((fields) => this.#toZone(fields, project) ?? []);
  }

  /**
   * changes.get: `pending`, then `done`, which says that the change was sent to all servers. A
   * change that is not known any more is an old one.
   */
  async propagationOf(zone: Zone, receipt: string, signal: AbortSignal): Promise<Propagation> {
    const path = `${zonePath(zone)}/changes/${encodeURIComponent(receipt)}`;
    const what = `the change ${receipt} cannot be read`;
    const change = await this.read(what, () =>
      unlessRefused(
        () => this.#api.get(path, signal),
        ({ status }) => status === STATUS_NOT_FOUND,
      ),
    );
    return { is: change === null || change["status"] === "done" ? "live" : "pending" };
  }

  close(): void {
    this.#api.close();
  }

  protected nameOf({ name }: Fields): DnsName {
    return withoutDot(textOf(name) ?? "");
  }

  protected toSets(items: readonly Fields[]): readonly RecordSet[] {
    return items.flatMap(toRecordSets);
  }

  protected override worthKeeping(items: readonly Fields[]): readonly Fields[] {
    return items.filter(isForm);
  }

  protected listZone(zone: Zone, signal: AbortSignal): Promise<Listing<Fields>> {
    return this.#list(`the zone ${zone.name} cannot be read`, setsIn(zone), signal);
  }

  protected override ask(
    zone: Zone,
    [name]: Question,
    signal: AbortSignal,
  ): Promise<Listing<Fields>> {
    const question = { ...setsIn(zone), query: { name: withDot(name) } };
    return this.#list(`the zone ${zone.name} cannot be read`, question, signal);
  }

  /** An old form is refused by the API, or here; the reading that follows brings the new one. */
  protected override forgetAfter(): void {}

  /** Without groups that are known to be outdated. */
  protected batchOf(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Batch<Fields> {
    const formOf: FormOf = (name, type) =>
      this.known.at(zone, name)?.find((form) => form["type"] === type) ?? null;
    const held = new Map<number, Outcome>();
    for (const [index, group] of groups.entries())
      if (isOutdated(group, formOf)) held.set(index, changedOutcome(group.name, OUTDATED));
    const sent = toChange(
      groups.filter((_, index) => !held.has(index)),
      formOf,
    );
    return {
      held,
      send: () => this.#send(zone, sent, signal),
    };
  }

  /** What a change wrote has our form, but for members. */
  async #send(zone: Zone, sent: SentChange, signal: AbortSignal): Promise<Sent<Fields>> {
    const body = { kind: "dns#change", ...sent };
    const path = `${zonePath(zone)}/changes`;
    const call = { method: "POST", path, body, changes: zone.name } as const;
    const change = await this.#api.fields(call, signal);
    const after = new Map<DnsName, readonly Fields[]>();
    for (const form of [...sent.deletions, ...sent.additions]) {
      const name = this.nameOf(form);
      const others = (after.get(name) ?? this.known.at(zone, name) ?? []).filter(
        ({ type }) => type !== form["type"],
      );
      after.set(name, sent.additions.includes(form) ? [...others, form] : others);
    }
    // All servers have it, or nobody can say.
    const receipt = change["status"] === "done" ? null : textOf(change["id"]);
    return { after, receipt };
  }

  #list(what: string, listed: Listed, signal: AbortSignal): Promise<Listing<Fields>> {
    return this.read(what, async () => {
      const { items, calls } = await this.#api.list(listed, { pace: this.turn, signal });
      return { items: items.map(fieldsOf), calls };
    });
  }

  /** Zones that answer from elsewhere have no records of their own. */
  #toZone(fields: Fields, project: string): Zone | null {
    const { origin, zoneType } = this.#options;
    const [id, name] = [textOf(fields["name"]), textOf(fields["dnsName"])];
    const isElsewhere = ELSEWHERE.some((key) => (fields[key] ?? null) !== null);
    if (id === null || name === null || isElsewhere) return null;
    const visibility = textOf(fields["visibility"]) === "private" ? "private" : "public";
    if (zoneType !== null && zoneType !== visibility) return null;
    return {
      id: `${project}/${id}`,
      name: withoutDot(name),
      providerType: GOOGLE_TYPE,
      endpoint: new URL(origin).host,
      view: "",
      visibility,
    };
  }
}

/** Secret: `serviceaccount.json`; see options.ts for the rest. */
export const GOOGLE_PROVIDER = sessionType(GOOGLE_TYPE, parseOptions, GoogleSession);

const ZONES: Listed = {
  path: "/managedZones",
  field: "managedZones",
  kind: "dns#managedZonesListResponse",
};
/** Discovery document, ManagedZone. */
const ELSEWHERE = ["peeringConfig", "forwardingConfig", "serviceDirectoryConfig"];

const OUTDATED = "the members of the routing policy are not as they were read";

const STATUS_NOT_FOUND = 404;

function setsIn(zone: Zone): Listed {
  return {
    path: `${zonePath(zone)}/rrsets`,
    field: "rrsets",
    kind: "dns#resourceRecordSetsListResponse",
  };
}

/** The id has the project before the name of the zone. */
function zonePath({ id }: Zone): string {
  return `/managedZones/${encodeURIComponent(id.slice(id.lastIndexOf("/") + 1))}`;
}
