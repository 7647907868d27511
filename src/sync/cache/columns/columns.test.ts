/**
 * The columns against the plain objects they stand for: the same random history in both, every view
 * compared after each step.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PlainDesiredIndex } from "../../../../test/support/plain-zone/plain-desired-index.ts";
import { PlainZoneState } from "../../../../test/support/plain-zone/plain-zone-state.ts";
import { VirtualClock } from "../../../../test/support/ports/virtual-clock.ts";
import { ALL_SEEN, fakeObserver } from "../../../../test/support/values/fake-observer.ts";
import { nameOf, ORIGIN } from "../../../../test/support/values/zone-text.ts";
import { type ObjectKey, objectKeyText, resourceOf } from "../../../model/provenance.ts";
import { compareKeys, type DesiredRecordSet, type RecordSet } from "../../../model/record-set.ts";
import { dataHash } from "../../../ownership/data-hash.ts";
import { openTxtOwnership } from "../../../ownership/txt/ownership.ts";
import type { Change } from "../../../plan/changes.ts";
import type { ProviderSession } from "../../../providers/provider.ts";
import { AbsenceTracker } from "../../absence/absence-tracker.ts";
import { AddressWaits } from "../../absence/address-waits.ts";
import type { Contribution } from "../../contract/contribution.ts";
import { NO_TENANCY } from "../../contract/zone.ts";
import { type PlanInput, planOf } from "../../zone/name-planner.ts";
import { DesiredIndex } from "../desired-index.ts";
import { ZoneComparison } from "../zone-comparison.ts";
import { ZoneState } from "../zone-state.ts";
import { ZoneTexts } from "./zone-texts.ts";

const RUNS = Number(process.env["ZONEKEEPER_LAW_RUNS"] ?? "120");
/** The machine may be busy; nothing here waits. */
const TIMEOUT_MS = 120_000;
const NAMES = ["www", "a-www", "aaaa-www", "_owner.a.www", "sub", "x.sub", "*", "@"].map(nameOf);
const RESOURCES = ["service/default/web", "dnsentry/default/x"];
const OWNERS = new Set(["me"]);
const CLUSTERS = ["c1", "c2"];

/** `fc.record` of objects with a prototype, as the program has them. */
const plainRecord = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true });

const marker = plainRecord({
  owner: fc.constantFrom("me", "me", "you"),
  resource: fc.constantFrom(...RESOURCES),
  more: fc.constantFrom(
    "",
    "",
    ",external-dns/cluster=c1",
    ",external-dns/state=pending,external-dns/data=1",
  ),
}).map(
  ({ owner, resource, more }) =>
    `"heritage=external-dns${more},external-dns/owner=${owner},external-dns/resource=${resource}"`,
);

const DATA: readonly (readonly [string, readonly string[]])[] = [
  ["A", ["192.0.2.1"]],
  ["A", ["192.0.2.1"]],
  ["A", ["192.0.2.1", "192.0.2.2"]],
  ["AAAA", ["2001:db8::1"]],
  ["CNAME", ["lb.example.com"]],
  ["NS", ["ns.example.com"]],
  ["TXT", ['"h\u00e9llo \u{1f680}"']],
];

const data = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...DATA) },
  { weight: 2, arbitrary: marker.map((text): (typeof DATA)[number] => ["TXT", [text]]) },
);

const body = plainRecord({
  ttlSeconds: fc.constantFrom(300, 300, 60),
  setIdentifier: fc.constantFrom(null, null, null, "eu"),
  properties: fc.constantFrom({}, {}, {}, { proxied: "true", alias: "A" }),
  routingPolicy: fc.constantFrom(null, null, { type: "weighted", parameters: { weight: "1" } }),
});

const recordSet: fc.Arbitrary<RecordSet> = plainRecord({
  name: fc.constantFrom(...NAMES),
  data,
  body,
}).map(({ name, data: [type, values], body: rest }) => ({ name, type, values, ...rest }));

/** A name that is published as it is wanted: data with its marker, as ours. */
const published = plainRecord({
  type: fc.constantFrom("A", "AAAA"),
  resource: fc.constantFrom(...RESOURCES),
}).map(({ type, resource }): readonly RecordSet[] => {
  const plain = { setIdentifier: null, ttlSeconds: 300, properties: {}, routingPolicy: null };
  const values = [type === "A" ? "192.0.2.1" : "2001:db8::1"];
  const text = `"heritage=external-dns,external-dns/owner=me,external-dns/resource=${resource}"`;
  const at = nameOf(`${type.toLowerCase()}-www`);
  return [
    { ...plain, name: nameOf("www"), type, values },
    { ...plain, name: at, type: "TXT", values: [text] },
  ];
});

const zoneContent = fc
  .array(
    fc.oneof(
      recordSet.map((one) => [one]),
      published,
    ),
    { maxLength: 6 },
  )
  .map((groups) => distinct(groups.flat()));

const object = plainRecord({
  cluster: fc.constantFrom(...CLUSTERS),
  kind: fc.constantFrom("service", "dnsentry", "odd/kind"),
  namespace: fc.constant("default"),
  name: fc.constantFrom("web", "x"),
});

const item: fc.Arbitrary<DesiredRecordSet> = plainRecord({
  set: recordSet,
  ttl: fc.constantFrom<Partial<DesiredRecordSet>>(
    { ttlSeconds: null },
    { ttlSeconds: null, ttlOnCreate: 0 },
    { ttlSeconds: 300 },
    { ttlSeconds: 300 },
    { ttlSeconds: 60 },
  ),
  provenance: object,
  owner: fc.constantFrom(null, null, "me", "other"),
  createdAtMs: fc.constantFrom(0, 1_763_737_200_123, -1),
}).map(({ set, ttl: { ttlSeconds = null, ...ttl }, ...rest }) => ({
  ...set,
  ...rest,
  ...ttl,
  ttlSeconds,
}));

const contribution: fc.Arbitrary<Contribution> = plainRecord({
  object,
  generation: fc.constantFrom(1, 2 ** 40),
  deleting: fc.constantFrom(false, false, false, true),
  items: fc.array(item, { maxLength: 3 }),
  waiting: fc.constantFrom([], [], [], [{ name: nameOf("www"), reason: "NoTargets" }]),
  complete: fc.constantFrom(true, true, true, false),
  movedTo: fc.constantFrom(null, null, null, { account: "a", zone: "sub.example.org" }),
}).map(({ items, waiting, complete, movedTo, ...rest }) => ({
  ...rest,
  ...(movedTo === null ? {} : { movedTo }),
  found: { items, waiting, problems: [], complete },
}));

/** What wants exactly what `published` says. */
const matching: fc.Arbitrary<Contribution> = fc.constantFrom(...RESOURCES).map((resource) => {
  const [kind = "", namespace = "", name = ""] = resource.split("/");
  const provenance = { cluster: "c1", kind, namespace, name };
  const plain = { setIdentifier: null, ttlSeconds: 300, properties: {}, routingPolicy: null };
  const own = { provenance, owner: null, createdAtMs: 0 };
  const desired = { ...plain, ...own, name: nameOf("www"), type: "A", values: ["192.0.2.1"] };
  const found = { items: [desired], waiting: [], problems: [], complete: true };
  return { object: provenance, generation: 1, deleting: false, found };
});

/** The zone that such a contribution wants, `more` = further labels of its markers. */
function publishedFor({ found }: Contribution, more = ""): readonly RecordSet[] {
  return found.items.flatMap(({ provenance, owner: _, createdAtMs: __, ...set }) => {
    const text = `"heritage=external-dns${more},external-dns/owner=me,external-dns/resource=${resourceOf(provenance)}"`;
    const data = { ...set, ttlSeconds: set.ttlSeconds ?? 300 };
    return [data, { ...data, name: nameOf("a-www"), type: "TXT", values: [text] }];
  });
}

type Step =
  | { readonly do: "load"; readonly sets: readonly RecordSet[]; readonly keep: DnsName | null }
  | {
      readonly do: "reread";
      readonly names: readonly DnsName[];
      readonly sets: readonly RecordSet[];
    }
  | { readonly do: "applied"; readonly change: Change }
  | { readonly do: "put"; readonly contribution: Contribution }
  | { readonly do: "remove"; readonly object: ObjectKey };

const step: fc.Arbitrary<Step> = fc.oneof(
  plainRecord({
    do: fc.constant("load" as const),
    sets: zoneContent,
    keep: fc.constantFrom(null, null, ...NAMES),
  }),
  plainRecord({
    do: fc.constant("reread" as const),
    names: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }),
    sets: zoneContent,
  }),
  recordSet.map((next): Step => ({ do: "applied", change: { op: "create", next } })),
  recordSet.map((previous): Step => ({ do: "applied", change: { op: "remove", previous } })),
  fc.oneof(contribution, matching).map((one): Step => ({ do: "put", contribution: one })),
  object.map((one): Step => ({ do: "remove", object: one })),
);

const changedBy = (change: Change) => (change.op === "remove" ? change.previous : change.next);

function distinct(sets: readonly RecordSet[]): readonly RecordSet[] {
  return [
    ...new Map(
      sets.map((set) => [[set.name, set.type, set.setIdentifier].join(" "), set]),
    ).values(),
  ];
}

/** Both sides of one zone, in columns and in plain objects. */
class BothForms {
  readonly texts = new ZoneTexts();
  readonly index = new DesiredIndex(this.texts);
  readonly plainIndex = new PlainDesiredIndex();
  readonly state: ZoneState;
  readonly plain: PlainZoneState;

  /** `rebuildAbove`: 0 folds the whole zone at each change. */
  constructor(rebuildAbove: number) {
    const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => OWNERS.has(owner) });
    const { texts } = this;
    const base = { apex: ORIGIN, owners: OWNERS, clock: new VirtualClock() };
    this.state = new ZoneState({ ...base, ownership, texts, rebuildAbove });
    this.plain = new PlainZoneState(ORIGIN, ownership, OWNERS);
  }

  async take(one: Step): Promise<void> {
    switch (one.do) {
      case "load": {
        const keep = new Set(one.keep === null ? [] : [one.keep]);
        await this.state.load(one.sets, keep);
        await this.plain.load(one.sets, keep);
        return;
      }
      case "reread":
        await this.state.reread(one.names, one.sets);
        await this.plain.reread(one.names, one.sets);
        return;
      case "applied":
        await this.state.applied([{ changes: [one.change], name: changedBy(one.change).name }]);
        await this.plain.applied([one.change]);
        return;
      case "put":
        expect(this.index.put(one.contribution)).toEqual(this.plainIndex.put(one.contribution));
        return;
      case "remove":
        expect(new Set(this.index.remove(one.object))).toEqual(
          new Set(this.plainIndex.remove(one.object)),
        );
    }
  }
}

function viewOf({ state, index }: Pick<BothForms, "state" | "index">): unknown;
function viewOf(sides: {
  readonly state: PlainZoneState;
  readonly index: PlainDesiredIndex;
}): unknown;
function viewOf({
  state: { table, owned },
  index,
}: {
  readonly state: PlainZoneState | ZoneState;
  readonly index: PlainDesiredIndex | DesiredIndex;
}): unknown {
  const at = (name: DnsName) => ({
    raw: table.at(name),
    delegation: table.delegationOf(name),
    owned: [...owned.at(name)].sort(compareKeys),
    counts: [owned.ownedAt(name), owned.hasOwnMarker(name)],
    listing: [...index.listing(name)].sort(byObject),
    wanted: [...index.wanted(name)].map((one) => JSON.stringify(one, sortedKeys)).sort(),
  });
  return {
    names: NAMES.map(at),
    all: [[...table.names()].sort(), [...owned.names()].sort(), [...index.names()].sort()],
    counts: [owned.owned, owned.ownedNames],
    marked: RESOURCES.map((resource) => [...owned.namesOfResource(resource)].sort()),
    contributions: [...index.all()].sort(byObject),
    wantingNothing: [...index.wantingNothing()].sort(byObject),
  };
}

function byObject(a: Contribution, b: Contribution): number {
  return objectKeyText(a.object) < objectKeyText(b.object) ? -1 : 1;
}

function sortedKeys(_: string, value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Everything a plan needs besides both sides. Objects that markers name are gone. */
function planInput({ index, state }: BothForms, about: Partial<PlanInput> = {}): PlanInput {
  const absences = new AbsenceTracker({
    observer: fakeObserver("absent"),
    waits: new AddressWaits(new VirtualClock(), null),
    recordsAt: () => null,
    sightings: ALL_SEEN,
  });
  const types = new Set(["A", "TXT"]);
  const capabilities = { types, preconditions: { written: { exact: "sent" } } };
  const session = {
    audit: () => [],
    normalize: (set: RecordSet) => set,
    capabilities,
  } as unknown as ProviderSession;
  const zoneInput = {
    key: { account: "a", zone: ORIGIN },
    zone: { id: ORIGIN, name: ORIGIN, providerType: "memory", endpoint: "", view: "" },
    session,
    ownership: openTxtOwnership({ apex: ORIGIN, isOwnedByUs: () => true }),
    policy: "sync" as const,
    adoption: { mode: "never" as const },
    managedTypes: new Set(["A", "AAAA", "CNAME", "TXT"]),
    defaultTtlSeconds: 300,
  };
  const identity = { owners: OWNERS, mainOwner: "me", clusterRank: {} };
  const zones = { tenancy: NO_TENANCY, elsewhere: nowhere(false), ...about };
  return { zoneInput, identity, index, absences, state, ...zones };
}

const nowhere = (wants: boolean) => ({ wants: () => wants, inOtherZones: () => [] });

test.each([
  ["name by name", 1_000],
  ["by folding the whole zone", 0],
])(
  "columns show what plain objects show, kept up %s",
  async (_, rebuildAbove) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const both = new BothForms(rebuildAbove);
        for (const one of steps) {
          await both.take(one);
          expect(viewOf(both)).toEqual(viewOf({ state: both.plain, index: both.plainIndex }));
        }
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

/** Of the data that `matching` wants. */
const WEB_HASH = dataHash({
  name: nameOf("www"),
  type: "A",
  setIdentifier: null,
  values: ["192.0.2.1"],
  properties: {},
  routingPolicy: null,
});

/** What may be otherwise than wanted when everything else is as wanted. */
const ending = plainRecord({
  last: matching,
  labels: fc.constantFrom("", "", `,external-dns/data=+${WEB_HASH},external-dns/state=pending`),
  others: fc.oneof(fc.constant([]), fc.array(recordSet, { maxLength: 2 })),
  competing: fc.oneof(fc.constant([]), fc.array(contribution, { maxLength: 1 })),
  isElsewhere: fc.boolean(),
});

test(
  "names that are equal by id have an empty plan, and all others are walked",
  async () => {
    let inSync = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), ending, async (steps, end) => {
        const both = new BothForms(1_000);
        for (const one of steps) await both.take(one);
        // However the history went, `www` may be as wanted in the end, but for one thing.
        await both.take({ do: "put", contribution: end.last });
        const sets = distinct([...publishedFor(end.last, end.labels), ...end.others]);
        await both.take({ do: "load", sets, keep: null });
        for (const contribution of end.competing) await both.take({ do: "put", contribution });
        const input = planInput(both, { elsewhere: nowhere(end.isElsewhere) });
        const comparison = new ZoneComparison(both);
        const context = { zoneInput: input.zoneInput, mainOwner: input.identity.mainOwner };
        const differing = new Set(
          [...comparison.differing(context)].map((id) => comparison.nameOf(id)),
        );
        const isInSync = comparison.inSyncTest(context);
        for (const name of NAMES) {
          expect(isInSync(name)).toBe(!differing.has(name));
          const plan = planOf(input, name);
          if (isInSync(name)) expect(plan).toEqual({ name, changes: [], holds: [] });
          if (isInSync(name) && input.index.isListed(name)) inSync += 1;
        }
      }),
      { numRuns: RUNS },
    );
    expect(inSync).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

test(
  "what was forgotten leaves no text behind",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const both = new BothForms(steps.length % 2);
        for (const one of steps) await both.take(one);
        [...new ZoneComparison(both).differing({ ...planInput(both), mainOwner: "me" })];
        await both.state.load([], new Set());
        for (const { object: one } of [...both.index.all()]) both.index.remove(one);
        const { names, symbols, bodies, resources } = both.texts;
        expect([names.live, symbols.live, bodies.live, resources.live]).toEqual([0, 0, 0, 0]);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);
