/**
 * The registry over markers that are for a name and not for one type (name-marker.ts): a group
 * changes data and the one marker of the name in one call (Z-8 to Z-12). It needs calls that are
 * all or nothing; where a call takes one record set, every change is held.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { resourceForms } from "../../model/provenance.ts";
import { hasSameData, isSameKey, type RecordSet } from "../../model/record-set.ts";
import type {
  Change,
  KeyChange,
  NamePlan,
  OwnedRecordSet,
  Precondition,
} from "../../plan/changes.ts";
import { answersAt, mayCoexist } from "../../plan/coexistence.ts";
import { asRead, distinct, preconditionsOf } from "../../plan/preconditions.ts";
import { ANY_TYPE } from "../../plan/rights.ts";
import type { Blocker } from "../../plan/rules.ts";
import type { Ownership, Prepared, ZoneContent, ZoneMarkers } from "../ownership.ts";
import type { RegistryZone } from "../registry.ts";
import { FORGED, heldGroup, nameInUse, sharedMarker } from "./held-group.ts";
import {
  claimsOn,
  fold,
  type NameMarker,
  type NameMarkerFormat,
  splitMarkers,
  type TypeClaim,
} from "./name-marker.ts";
import { inGroupOrder } from "./write-order.ts";
import { cutBetween } from "./zone-cut.ts";

/** How the registry of one zone is opened. */
export interface NameOwnershipOptions
  extends Pick<RegistryZone, "isOwnedByUs" | "atomic">,
    Partial<Pick<RegistryZone, "flattensApex" | "ownTypes">> {
  readonly apex: DnsName;
}

/** Keeps no state: the zone is the registry. */
export class NameOwnership implements Ownership, ZoneMarkers {
  readonly zoneMarkers = this;
  readonly #options: NameOwnershipOptions;
  readonly #format: NameMarkerFormat;

  constructor(options: NameOwnershipOptions, format: NameMarkerFormat) {
    this.#options = options;
    this.#format = format;
  }

  get format(): string {
    return this.#format.name;
  }

  async read(sets: readonly RecordSet[]): Promise<readonly OwnedRecordSet[]> {
    return fold(sets, { format: this.#format, isOwnedByUs: this.#options.isOwnedByUs });
  }

  affected(name: string): readonly string[] {
    const markerName = trustedDnsName(name);
    const { labelled, alsoLabelled } = this.#format;
    return [...new Set([name, labelled(markerName) ?? name, ...alsoLabelled(markerName)])];
  }

  learn(sets: readonly RecordSet[]): void {
    for (const set of sets) if (set.type === "TXT") this.#format.learn(set);
  }

  related(name: string): readonly string[] {
    const owner = trustedDnsName(name);
    const markerNames = [
      ...this.#format.markerNames(owner),
      ...this.#format.otherMarkerNames(owner),
    ];
    return [...new Set([...this.affected(name), ...markerNames])];
  }

  /** A marker name of these formats labels one name only. */
  dependentNames(): readonly string[] {
    return [];
  }

  /** A text that would be a marker at its name or another one, where it may be moved. */
  refuses(set: RecordSet): Blocker | null {
    const [markerName] = this.#format.markerNames(this.#options.apex);
    if (set.type !== "TXT" || markerName === undefined) return null;
    const isLike = (name: DnsName) => this.#format.parse({ ...set, name }) !== null;
    return isLike(markerName) || isLike(trustedDnsName(set.name)) ? FORGED : null;
  }

  /** Not known before the marker's text is: `prepare` holds the record. */
  blockerOf(): null {
    return null;
  }

  async prepare(plan: NamePlan, content: ZoneContent): Promise<Prepared> {
    const { changes } = plan;
    if (!this.#options.atomic)
      return heldGroup(plan, {
        code: "NoMarkerPossible",
        message: `the registry ${this.format} needs a provider that takes data and marker in one call; use the registry txt or configmap here`,
      });
    const identifiers = [...new Set(changes.map(({ key }) => key.setIdentifier))];
    const drafts: MarkerDraft[] = [];
    for (const identifier of identifiers) {
      const keys = changes.filter(({ key }) => key.setIdentifier === identifier);
      const draftName = this.#draftName({ plan, keys, identifier, content });
      if ("code" in draftName) return heldGroup(plan, draftName);
      drafts.push(draftName);
    }
    const data = changes.flatMap(({ change }) => change ?? []);
    const writes = inGroupOrder(
      data,
      drafts.flatMap((draftName) => draftName.writes),
    );
    const inUse = this.#findNameInUse(writes, content);
    if (inUse !== null) return heldGroup(plan, inUse);
    const grounds = drafts.flatMap((draftName) => draftName.preconditions);
    const preconditions = distinct([...preconditionsOf(writes, content), ...grounds]);
    return { ok: true, group: { name: plan.name, keys: changes, changes: writes, preconditions } };
  }

  /** Nothing is kept, so nothing is to be confirmed. */
  async confirm(): Promise<void> {}

  /** The marker writes of one name and set identifier. */
  #draftName(task: MarkerTask): MarkerDraft | Blocker {
    const { plan, content, identifier } = task;
    // A marker is also looked for under the name that it was read at.
    const marked = task.keys.flatMap(({ current }) => current?.marker?.record?.name ?? []);
    const names = [...new Set([...this.related(plan.name), ...marked])];
    const sets = names.flatMap((name) => content.at(name));
    const { data, markers: all } = splitMarkers(sets, this.#format);
    const markers = all.filter(
      ({ name, record }) => name === plan.name && record.setIdentifier === identifier,
    );
    const trouble = this.#troubleWith(task, markers);
    if (trouble !== null) return trouble;
    const claims = claimsAfter(task, { markers, data });
    const grounds = [
      ...names.map((name) => asRead(keyIn({ name, type: "TXT" }, identifier), content)),
      ...task.keys
        .filter(({ key, change }) => change === null && key.type !== ANY_TYPE)
        .map(({ key }) => asRead(keyIn(key, identifier), content)),
    ];
    const writes = this.#markerWrites(task, { markers, claims });
    return "code" in writes ? writes : { writes, preconditions: grounds };
  }

  #troubleWith({ keys, content }: MarkerTask, markers: readonly NameMarker[]): Blocker | null {
    const shared = markers.find(({ foreignValues }) => foreignValues.length > 0);
    if (shared !== undefined) return sharedMarker(shared.record);
    const owners = new Set(markers.flatMap((one) => one.claims.map(({ owner }) => owner)));
    const foreign = [...owners].find((owner) => !this.#options.isOwnedByUs(owner));
    if (foreign !== undefined)
      return { code: "Contested", message: `the marker of the name says "${foreign}"` };
    for (const { change } of keys) {
      const trouble = change === null ? null : this.#troubleWithData(change, content);
      if (trouble !== null) return trouble;
    }
    return null;
  }

  #troubleWithData(change: Change, content: ZoneContent): Blocker | null {
    if (change.op !== "create") {
      const { previous } = change;
      const existing = content.at(previous.name).find((one) => isSameKey(one, previous));
      if (existing === undefined || !hasSameData(existing, previous))
        return {
          code: "MarkerShared",
          message: `a marker shares ${previous.type} ${previous.name}`,
        };
    }
    return change.op === "remove" ? null : this.refuses(change.next);
  }

  /** Rewrites the marker where it was found, if it can stay there; else removes and creates one. */
  #markerWrites(task: MarkerTask, after: MarkerContent): readonly Change[] | Blocker {
    const { markers, claims } = after;
    const gone = markers.map(({ record }): Change => ({ op: "remove", previous: record }));
    if (claims.length === 0) return gone;
    const staying = markers.find(({ record }) => this.#troubleAt(record.name, task) === null);
    const kept = markers.flatMap((one) => one.keptValues);
    const text = this.#format.format(claims, kept, staying?.spelling);
    if ("trouble" in text) return { code: "NoMarkerPossible", message: text.trouble };
    const values = canonicalValues(text.values);
    if (staying !== undefined) {
      const { record } = staying;
      const next = { ...record, values };
      const others = gone.filter((change) => change.op === "remove" && change.previous !== record);
      return hasSameData(record, next)
        ? others
        : [...others, { op: "replace", previous: record, next }];
    }
    const troubles: string[] = [];
    for (const markerName of this.#format.markerNames(task.plan.name)) {
      const trouble = this.#troubleAt(markerName, task);
      if (trouble === null)
        return [...gone, { op: "create", next: this.#marker(markerName, task, values) }];
      troubles.push(trouble);
    }
    const message =
      troubles.join("; ") ||
      "the name is too long for a marker, or would be read as another one; choose another name";
    return { code: "NoMarkerPossible", message };
  }

  #marker(name: DnsName, { keys, identifier }: MarkerTask, values: readonly string[]): RecordSet {
    const data = keys.find(({ desired }) => desired !== null)?.desired ?? null;
    return {
      name,
      type: "TXT",
      setIdentifier: identifier,
      ttlSeconds: this.#format.ttlSeconds,
      values,
      properties: data?.properties ?? {},
      routingPolicy: data?.routingPolicy ?? null,
    };
  }

  /** Why the name cannot have its marker there once the data is written; null = it can (Z-11). */
  #troubleAt(markerName: DnsName, { plan, content, identifier }: MarkerTask): string | null {
    const data = plan.changes.flatMap(({ change }) => change ?? []);
    const written = data.flatMap((change) => (change.op === "remove" ? [] : [change.next]));
    const gone = data.flatMap((change) => (change.op === "create" ? [] : [change.previous]));
    const stays = content
      .at(markerName)
      .filter((set) => !gone.some((one) => isSameKey(one, set)))
      .filter((set) => set.type !== "TXT" || this.#format.parse(set)?.name !== plan.name);
    const sets = [...stays, ...written.filter(({ name }) => name === markerName)];
    const wanted = {
      name: markerName,
      type: "TXT",
      setIdentifier: identifier,
      routingPolicy: null,
    };
    const other = sets.find((set) => set.setIdentifier === identifier && !mayCoexist(set, wanted));
    if (other !== undefined) return `${markerName} has ${other.type} ${other.values.join(", ")}`;
    const names = { marker: markerName, data: plan.name };
    const cut = cutBetween(names, this.#options.apex, content);
    return cut === null ? null : `${markerName} is not answered: the zone ends at ${cut}`;
  }

  /** Why data cannot be created because another record has its name; null = it can. */
  #findNameInUse(writes: readonly Change[], content: ZoneContent): Blocker | null {
    const gone = writes.flatMap((write) => (write.op === "create" ? [] : [write.previous]));
    for (const write of writes) {
      if (write.op !== "create") continue;
      const answers = answersAt(write.next.name, this.#options);
      const other = content
        .at(write.next.name)
        .filter((set) => !gone.some((one) => isSameKey(one, set)))
        .find((set) => !mayCoexist(set, write.next, answers));
      if (other !== undefined) return nameInUse(other);
    }
    return null;
  }
}

interface MarkerTask {
  readonly plan: NamePlan;
  readonly keys: readonly KeyChange[];
  /** Set identifier of all of them. */
  readonly identifier: string | null;
  readonly content: ZoneContent;
}

interface MarkerContent {
  readonly markers: readonly NameMarker[];
  readonly claims: readonly TypeClaim[];
}

interface MarkerDraft {
  readonly writes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

/** The claims of the marker afterwards: new ones for planned types, the former ones for others. */
function claimsAfter(
  { plan, keys, identifier }: MarkerTask,
  {
    markers,
    data,
  }: { readonly markers: readonly NameMarker[]; readonly data: readonly RecordSet[] },
): readonly TypeClaim[] {
  const isPlanned = (type: string): boolean => keys.some(({ key }) => key.type === type);
  const here = data.filter((set) => set.name === plan.name && set.setIdentifier === identifier);
  const unchanged = here
    .filter(({ type }) => !isPlanned(type))
    .flatMap(({ type, ...set }) =>
      claimsOn({ ...set, type }, markers, here).map(({ claim }) => ({ ...claim, type })),
    );
  const idle = markers
    .flatMap(({ claims }) => claims)
    .filter(({ type }) => type !== null && !isPlanned(type))
    .filter(({ type }) => !here.some((set) => set.type === type));
  const desired = keys.flatMap(({ key, marker }): TypeClaim[] => {
    if (marker === null) return [];
    const { owner, provenance } = marker;
    const [resource, shortResource] = resourceForms(provenance);
    return [{ type: key.type, owner, resource, shortResource, cluster: provenance.cluster }];
  });
  return [...unchanged, ...idle, ...desired];
}

/** The key with this set identifier. */
function keyIn({ name, type }: { name: string; type: string }, identifier: string | null) {
  return { name: trustedDnsName(name), type, setIdentifier: identifier };
}
