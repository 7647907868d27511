import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject, ObjectMeta } from "@zonekeeper/kube/objects/kubernetes";
import { describe, expect, test } from "vitest";
import { providerFacts } from "../../../test/support/values/provider-facts.ts";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import type { Assignment } from "../../controllers/publication/published-kind.ts";
import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import type { DesiredRecordSet, RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { type Found, NOTHING } from "../../sources/source.ts";
import type { Contribution, NameReport } from "../../sync/contract/contribution.ts";
import { decideEntry } from "./decide-entry.ts";
import { readEntry } from "./entry.ts";
import type { EntryContext, EntryDecision, StatusZone } from "./entry-context.ts";

const name = trustedDnsName;
const WWW = name("www.example.org");
const ORG = name("example.org");
const FINALIZER = "dns.gardener.cloud/compound";
const KEY = { account: "acc", zone: "example.org" };
const STATUS_ZONE: StatusZone = { key: KEY, zone: ORG };
const HOUR = 3_600_000;
const T0 = Date.parse("2026-01-01T00:00:00Z");

const provenance = { cluster: "c1", kind: "dnsentry", namespace: "default", name: "web" };
const plain = { setIdentifier: null, properties: {}, routingPolicy: null };
const desired = (ttlSeconds: number | null = null, at = WWW): DesiredRecordSet => ({
  ...plain,
  name: at,
  type: "A",
  ttlSeconds,
  values: ["192.0.2.1"],
  provenance,
  owner: null,
  createdAtMs: T0,
});
const publishedSet: RecordSet = {
  ...plain,
  name: WWW,
  type: "A",
  ttlSeconds: 300,
  values: ["192.0.2.1"],
};
const wants = (...items: readonly DesiredRecordSet[]): Found<DesiredRecordSet> => ({
  ...NOTHING,
  items,
});
const mistake: Found<DesiredRecordSet> = {
  items: [],
  waiting: [{ name: WWW, reason: "InvalidTtl" }],
  problems: [{ code: "InvalidTtl", subject: "x", message: "invalid TTL: 0", field: "spec.ttl" }],
  complete: false,
};

const provider = providerFacts({
  id: "default/p",
  account: "acc",
  type: "rfc2136",
  zones: [],
});
const zone: Zone = {
  id: "example.org",
  name: ORG,
  providerType: "rfc2136",
  endpoint: "",
  view: "",
};
const SERVED: Selection = { kind: "zone", provider, zone, key: KEY };

interface Given extends Partial<Omit<EntryContext, "entry">> {
  readonly metadata?: Partial<ObjectMeta>;
  readonly status?: Readonly<Record<string, unknown>>;
}

function contextWith(given: Given): EntryContext {
  const { metadata, status, ...rest } = given;
  const object: KubeObject = {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { name: "web", namespace: "default", generation: 2, ...metadata },
    status,
  };
  return {
    entry: readEntry(object, "c1", DEFAULT_CLASSES),
    found: wants(desired()),
    lookedUp: null,
    selection: SERVED,
    statusZone: null,
    statusProvider: "usable",
    providerTypes: null,
    assignments: [],
    unwantedRecords: [],
    origin: "ready",
    refused: null,
    endsWithDefinition: false,
    successor: null,
    ownerId: "me",
    defaultTtlSeconds: 300,
    nowMs: T0,
    ...rest,
  };
}

const held = { metadata: { finalizers: [FINALIZER] } };
const published = {
  state: "Ready",
  message: "dns entry active",
  observedGeneration: 2,
  provider: "default/p",
  providerType: "rfc2136",
  zone: "example.org",
  ttl: 300,
  cnameLookupInterval: null,
  targets: ["192.0.2.1"],
};

function contribution(
  found: Found<DesiredRecordSet>,
  more: Partial<Contribution> = {},
): Contribution {
  return { object: provenance, generation: 2, found, deleting: false, ...more };
}

function route(sent: Contribution, names: readonly Partial<NameReport>[] | null): Assignment {
  const blank: NameReport = {
    name: WWW,
    state: "published",
    code: null,
    message: "",
    sets: [],
    isPublished: false,
  };
  const report =
    names === null
      ? null
      : {
          object: provenance,
          zone: KEY,
          generation: sent.generation,
          names: names.map((n) => ({ ...blank, ...n })),
        };
  return { key: KEY, zone: ORG, contribution: sent, report };
}

const SENT = contribution(wants(desired(300)));
const shownState = (decision: EntryDecision): string =>
  `${decision.status?.state}: ${decision.status?.message}`;

describe("publishing", () => {
  test("finalizer and status come before the first contribution", () => {
    const decision = decideEntry(contextWith({}));
    expect(decision.finalizer).toBe("add");
    expect(decision.status).toMatchObject({
      state: "Pending",
      zone: "example.org",
      provider: "default/p",
    });
    expect(decision.send).toEqual([{ key: KEY, zone: ORG, contribution: SENT }]);
  });

  test("TTL: the entry's, else the provider's, else the default (Z-21)", () => {
    const ttl = (given: Given): unknown =>
      decideEntry(contextWith(given)).send[0]?.contribution.found.items[0]?.ttlSeconds;
    const own = { ...SERVED, provider: { ...provider, defaultTtlSeconds: 120 } } as Selection;
    expect([
      ttl({ found: wants(desired(60)), selection: own }),
      ttl({ selection: own }),
      ttl({}),
    ]).toEqual([60, 120, 300]);
  });

  test("what was sent is not sent again", () => {
    expect(decideEntry(contextWith({ ...held, assignments: [route(SENT, null)] })).send).toEqual(
      [],
    );
  });

  test("published becomes Ready with effective targets", () => {
    const routes = [route(SENT, [{ sets: [publishedSet], isPublished: true }])];
    const decision = decideEntry(contextWith({ ...held, assignments: routes }));
    expect(decision.status).toEqual(published);
    expect(decision.event).toMatchObject({ reason: "DNSEntryReady" });
    const again = decideEntry(contextWith({ ...held, assignments: routes, status: published }));
    expect(again.status).toEqual(published);
    expect(again.event).toBeNull();
  });

  test.each([
    [
      "held, by the table",
      { state: "held", code: "ForeignRecord", message: "not ours" },
      "Error: not ours",
    ],
    [
      "held, a code that is not in the table",
      { state: "held", code: "NewCode", message: "not ours", isPublished: true },
      "Stale: not ours",
    ],
    ["held for now", { state: "held", code: "NotSynced", message: "wait" }, "Pending: wait"],
    ["failed at first", { state: "failed", code: "Refused", message: "no" }, "Error: no"],
    [
      "failed later",
      { state: "failed", code: "Refused", message: "no", isPublished: true },
      "Stale: errorneous entry preserved in provider: no",
    ],
    ["in the making", { state: "pending" }, "Pending: dns entry is being published"],
  ] as const)("%s", (_, report, expected) => {
    expect(
      shownState(decideEntry(contextWith({ ...held, assignments: [route(SENT, [report])] }))),
    ).toBe(expected);
  });

  test("a restart does not shake an entry that is Ready", () => {
    const decision = decideEntry(
      contextWith({ ...held, status: published, statusZone: STATUS_ZONE }),
    );
    expect(decision.status).toEqual(published);
    expect(decision.send).toHaveLength(1);
  });

  test.each([
    ["what stood Ready is sent", {}, 1],
    ["what was Ready at an older generation is not", { observedGeneration: 1 }, 0],
    ["what was Stale is not", { state: "Stale" }, 0],
    ["what was never applied is not", { targets: null }, 0],
  ])("Z-4: until the object that it was made from is listed, %s", (_, was, sent) => {
    const status = { ...published, ...was };
    const decision = decideEntry(
      contextWith({ ...held, status, statusZone: STATUS_ZONE, origin: "unlisted" }),
    );
    expect(decision.send).toHaveLength(sent);
    if (sent === 0) expect(decision.status).toBeNull();
  });

  test("a report about an older generation says nothing", () => {
    const old = contribution(wants(desired(300)), { generation: 1 });
    const routes = [route(old, [{ isPublished: true }])];
    const status = { ...published, observedGeneration: 1 };
    expect(decideEntry(contextWith({ ...held, assignments: routes, status })).status?.state).toBe(
      "Pending",
    );
  });
});

const UNSERVED =
  "No responsible provider found: no DNSProvider that namespace default may use serves www.example.org; create one for its zone, or include its domain in one";

describe("providers", () => {
  const invalid: Selection = {
    kind: "invalid",
    provider,
    message: 'provider "default/p" not valid: x',
  };
  const undecided: Selection = { kind: "undecided", reason: "" };
  const none: Selection = { kind: "none" };

  test.each<[string, Selection, Parameters<typeof contextWith>[0], boolean]>([
    ["whose provider fails", invalid, {}, true],
    ["whose provider is not known yet", undecided, {}, true],
    ["whose provider is gone", none, { status: published }, true],
    ["that nobody ever served", none, {}, false],
    ["that was placed since the start", invalid, { assignments: [route(SENT, [])] }, false],
  ])("an entry %s lists its name in no zone (ADR 0024)", (_, selection, more, isProtected) => {
    const { withoutZone } = decideEntry(contextWith({ ...held, selection, ...more }));
    expect(withoutZone?.found.items.map(({ name }) => name) ?? []).toEqual(
      isProtected ? ["www.example.org"] : [],
    );
  });

  test.each([
    ["none, never applied", { kind: "none" }, undefined, `Error: ${UNSERVED}`],
    ["none, applied", { kind: "none" }, published, `Stale: ${UNSERVED}`],
    ["invalid, never applied", invalid, undefined, 'Error: provider "default/p" not valid: x'],
    ["invalid, applied", invalid, published, 'Stale: provider "default/p" not valid: x'],
    [
      "not known yet",
      { kind: "undecided", reason: "" },
      undefined,
      "Pending: waiting for dns reconciliation",
    ],
  ] as const)("%s", (_, selection, status, expected) => {
    const routes = status === undefined ? [] : [route(SENT, [{ isPublished: true }])];
    const decision = decideEntry(
      contextWith({ ...held, selection, assignments: routes, ...(status && { status }) }),
    );
    expect(shownState(decision)).toBe(expected);
    expect([decision.send, decision.unassign, decision.finalizer]).toEqual([[], [], null]);
  });

  test("after a restart, an undecided provider changes nothing", () => {
    const selection = { kind: "undecided", reason: "" } as const;
    expect(decideEntry(contextWith({ ...held, status: published, selection })).status).toBeNull();
  });
});

describe("Z-5: mistakes are not intent", () => {
  test("never applied is Invalid and contributes nothing", () => {
    const decision = decideEntry(contextWith({ found: mistake }));
    expect(shownState(decision)).toBe("Invalid: spec.ttl: invalid TTL: 0");
    expect([decision.send, decision.finalizer]).toEqual([[], null]);
  });

  test("applied is Stale; the last valid contribution stays", () => {
    const routes = [route(SENT, [{ isPublished: true }])];
    const decision = decideEntry(
      contextWith({
        ...held,
        found: mistake,
        assignments: routes,
        statusZone: STATUS_ZONE,
        status: published,
      }),
    );
    expect(shownState(decision)).toBe("Stale: spec.ttl: invalid TTL: 0");
    expect(decision.send).toEqual([]);
    expect(decision.status?.targets).toEqual(["192.0.2.1"]);
  });

  test.each([
    ["was held", { state: "held", code: "LooksLikeMarker" }, 1],
    ["failed", { state: "failed", code: "Refused" }, 1],
    ["is still being worked on", { state: "pending", code: null }, 0],
  ] as const)("a last valid wish that %s is not kept for ever", (_how, report, sent) => {
    const routes = [route(SENT, [{ ...report, message: "x", isPublished: false }])];
    const decision = decideEntry(
      contextWith({
        ...held,
        found: mistake,
        assignments: routes,
        statusZone: STATUS_ZONE,
        status: published,
      }),
    );
    const found = decision.send.map(({ contribution }) => contribution.found);
    expect(found).toEqual(sent === 0 ? [] : [mistake]);
  });

  test("after a restart an incomplete contribution protects what stands", () => {
    const decision = decideEntry(
      contextWith({ ...held, found: mistake, statusZone: STATUS_ZONE, status: published }),
    );
    expect(decision.send[0]?.contribution.found).toEqual(mistake);
  });
});

describe("moving", () => {
  const COM = name("example.com");
  const old: StatusZone = { key: { account: "acc", zone: "example.com" }, zone: COM };
  const before = {
    ...route(contribution(wants(desired(300, name("www.example.com")))), [
      { name: name("www.example.com"), isPublished: true },
    ]),
    ...old,
  };
  const status = { ...published, zone: "example.com" };

  test("a renamed entry leaves its old zone only when the new name is published", () => {
    const waiting = decideEntry(
      contextWith({ ...held, status, statusZone: old, assignments: [before] }),
    );
    expect(waiting.send.map((s) => s.key.zone)).toEqual(["example.org"]);
    expect(waiting.status?.zone).toBe("example.com");
    const there = route(SENT, [{ sets: [publishedSet], isPublished: true }]);
    const moving = decideEntry(
      contextWith({ ...held, status, statusZone: old, assignments: [before, there] }),
    );
    expect([moving.send, moving.unassign]).toEqual([[], [old.key]]);
    expect(moving.status?.zone).toBe("example.com");
    const done = decideEntry(
      contextWith({ ...held, status, statusZone: old, assignments: [there] }),
    );
    expect(done.status?.zone).toBe("example.org");
  });

  test("Z-18: the same name under another account is kept equal, not removed", () => {
    const duplicate: StatusZone = { key: { account: "other", zone: "example.org" }, zone: ORG };
    const there = route(SENT, [{ sets: [publishedSet], isPublished: true }]);
    const sent = contribution(wants(desired(60)));
    const decision = decideEntry(
      contextWith({ ...held, assignments: [there, { ...route(sent, null), ...duplicate }] }),
    );
    expect(decision.send).toEqual([{ ...duplicate, contribution: SENT }]);
  });
});

describe("deletion", () => {
  const metadata = { finalizers: [FINALIZER], deletionTimestamp: "2026-01-01T00:00:00Z" };
  const going = contribution(wants(desired()), { deleting: true });

  test("never contributed: the finalizer is removed at once", () => {
    expect(decideEntry(contextWith({ metadata }))).toMatchObject({
      finalizer: "remove",
      event: null,
    });
  });

  test("the zone is told, and the finalizer waits for it", () => {
    const decision = decideEntry(
      contextWith({ metadata, status: published, statusZone: STATUS_ZONE }),
    );
    expect(decision.send).toEqual([{ key: KEY, zone: ORG, contribution: going }]);
    expect(shownState(decision)).toBe("Deleting: entry is scheduled to be deleted");
    expect(decision.finalizer).toBeNull();
  });

  test.each([
    ["no answer yet", null, null],
    ["something stands", [{ state: "held", message: "fuse", isPublished: true }], null],
    ["all gone", [], "remove"],
  ] as const)("%s", (_, names, finalizer) => {
    const routes = [route(going, names)];
    const decision = decideEntry(
      contextWith({ metadata, status: published, statusZone: STATUS_ZONE, assignments: routes }),
    );
    expect(decision.finalizer).toBe(finalizer);
    if (names !== null && names.length > 0)
      expect(shownState(decision)).toBe("Deleting: entry is scheduled to be deleted: fuse");
  });

  test("an empty report about a living contribution is no answer", () => {
    const routes = [route(contribution(NOTHING), [])];
    const decision = decideEntry(
      contextWith({ metadata, status: published, statusZone: STATUS_ZONE, assignments: routes }),
    );
    expect(decision.finalizer).toBeNull();
  });

  test("Z-19: without any provider it is released after an hour, with an Event", () => {
    const lost = { metadata, status: published, statusProvider: "gone" } as const;
    const early = decideEntry(contextWith({ ...lost, nowMs: T0 + HOUR - 60_000 }));
    expect([early.finalizer, early.againAfterMs]).toEqual([null, 30_000]);
    const late = decideEntry(contextWith({ ...lost, nowMs: T0 + HOUR }));
    expect(late.finalizer).toBe("remove");
    expect(late.event).toMatchObject({ type: "Warning", reason: "RecordsLeft" });
  });

  test("Z-19: a zone that went while another has its name is asked for an hour, other zones for as long as it takes", () => {
    const statusZone = { ...STATUS_ZONE, isReplaced: true };
    const asked = route(contribution(NOTHING, { deleting: true }), null);
    const there = { metadata, status: published, statusZone, assignments: [asked] };
    const early = decideEntry(contextWith({ ...there, nowMs: T0 + HOUR - 60_000 }));
    expect([early.finalizer, early.againAfterMs]).toEqual([null, 30_000]);
    expect(early.status?.message).toMatch(/is no longer listed and another zone has its name/);
    const late = decideEntry(contextWith({ ...there, nowMs: T0 + HOUR }));
    expect([late.finalizer, late.event?.reason]).toEqual(["remove", "RecordsLeft"]);
    const key = { ...KEY, zone: "Z9" };
    const routes = [asked, { ...asked, key }];
    expect(
      decideEntry(contextWith({ ...there, assignments: routes, nowMs: T0 + HOUR })).finalizer,
    ).toBeNull();
  });

  test("Z-19: in a blocked zone it says so, and goes when the user gives the records up", () => {
    const statusZone = { ...STATUS_ZONE, isBlocked: true };
    const there = { metadata, status: published, statusZone, nowMs: T0 + 9 * HOUR };
    const waiting = decideEntry(contextWith({ ...there, assignments: [route(going, null)] }));
    expect(waiting.finalizer).toBeNull();
    expect(shownState(waiting)).toMatch(
      /^Deleting: .*blocked by --blocked-zone.*start without it.*zonekeeper.dev\/release=true$/,
    );
    const annotations = { "zonekeeper.dev/release": "true" };
    const given = decideEntry(contextWith({ ...there, metadata: { ...metadata, annotations } }));
    expect([given.finalizer, given.event?.reason]).toEqual(["remove", "RecordsLeft"]);
  });

  test("a provider that is only unusable is waited for, unless the user gives the records up", () => {
    const lost = { metadata, status: published, statusProvider: "unusable" } as const;
    expect(decideEntry(contextWith({ ...lost, nowMs: T0 + 9 * HOUR })).finalizer).toBeNull();
    const annotations = { "zonekeeper.dev/release": "true" };
    const released = decideEntry(contextWith({ ...lost, metadata: { ...metadata, annotations } }));
    expect([released.finalizer, released.event?.reason]).toEqual(["remove", "RecordsLeft"]);
  });
});

test("an entry of another class is not ours", () => {
  const annotations = { "dns.gardener.cloud/class": "other" };
  const metadata = { annotations, finalizers: [FINALIZER] };
  const given = { status: published, assignments: [route(SENT, null)] };
  const left = { finalizer: "remove", send: [], unassign: [KEY] };
  const decision = decideEntry(contextWith({ metadata, ...given }));
  expect(decision).toMatchObject({ ...left, status: { state: "Stale" } });
  // Controllers of that class write its status.
  const finalizers = [FINALIZER, "other.dns.gardener.cloud/compound"];
  const taken = decideEntry(contextWith({ metadata: { annotations, finalizers }, ...given }));
  expect(taken).toMatchObject({ ...left, status: null });
});
