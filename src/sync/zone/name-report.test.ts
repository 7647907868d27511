import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { fakeObserver } from "../../../test/support/values/fake-observer.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";

const MARKER = trustedDnsName("a-www.example.org");
const claimOf = (owner: string): string =>
  `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=dnsentry/default/www"`;

test("Z-9, Z-19: what two owners claim is told to its entry, alive and while it is deleted", async () => {
  const { clock, engine, zoneInput, values, content, reports } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  const [marker] = content.at(MARKER);
  if (marker === undefined) throw new Error("no marker");
  const next = { ...marker, values: [claimOf("me"), claimOf("you")] };
  content.write([{ key: marker, next }], clock.monotonicMs());
  await clock.advance(60_000);

  const lastReport = (): unknown => reports.at(-1)?.names[0];
  engine.contribute(KEY, entry("www", ["192.0.2.2"]));
  await clock.advance(5_000);
  const contested = { state: "held", code: "Contested", isPublished: true };
  expect(lastReport()).toMatchObject({
    ...contested,
    message: 'markers of the owners "me" and "you" claim the record; remove the wrong one',
  });

  engine.contribute(KEY, { ...entry("www", ["192.0.2.2"]), deleting: true });
  await clock.advance(5_000);
  expect(lastReport()).toMatchObject(contested);
  expect(values("www")).toEqual(["192.0.2.1"]);
});

test("a text by hand at a marker of another type is not shown as the entry's (simulator, F12 3046)", async () => {
  const { clock, engine, zoneInput, content, reports } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  const [marker] = content.at(MARKER);
  if (marker === undefined) throw new Error("no marker");
  const at = (name: string, values: readonly string[]): void => {
    const next = { ...marker, name: trustedDnsName(name), values };
    content.write([{ key: next, next }], clock.monotonicMs());
  };
  // The entry wanted a text before, which never came: two owners' markers speak of it.
  at("txt-www.example.org", [claimOf("me"), claimOf("you")]);
  at("www.example.org", ['"v=verify by hand"']);
  await clock.advance(60_000);
  engine.contribute(KEY, entry("www", ["192.0.2.2"]));
  await clock.advance(5_000);
  expect(reports.at(-1)?.names[0]).toMatchObject({
    isPublished: true,
    sets: [{ type: "A", values: ["192.0.2.2"] }],
  });
});

test("a deleted entry is told what keeps its record there, and not who lost the name to whom (simulator, F12 244)", async () => {
  const { clock, engine, zoneInput, content, reports } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  const [marker] = content.at(MARKER);
  if (marker === undefined) throw new Error("no marker");
  const next = { ...marker, values: [claimOf("me"), '"by hand"'] };
  content.write([{ key: marker, next }], clock.monotonicMs());
  await clock.advance(60_000);

  const others = { z: "192.0.2.8", a: "192.0.2.9" };
  for (const [index, [name, address]] of Object.entries(others).entries()) {
    const other = entry("www", [address]);
    const object = { ...other.object, name };
    const later = { provenance: object, createdAtMs: index + 1 };
    const items = other.found.items.map((item) => ({ ...item, ...later }));
    engine.contribute(KEY, { ...other, object, found: { ...other.found, items } });
  }
  engine.contribute(KEY, { ...entry("www", ["192.0.2.1"]), deleting: true });
  await clock.advance(5_000);
  const lastReport = reports.filter(({ object }) => object.name === "www").at(-1);
  expect(lastReport?.names[0]).toMatchObject({ state: "held", code: "MarkerShared" });
});

test("who wants equal data hears what the first one waits for (simulator, F12 46)", async () => {
  const { clock, engine, zoneInput, content, reports } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  const [marker] = content.at(MARKER);
  if (marker === undefined) throw new Error("no marker");
  const next = { ...marker, values: [claimOf("me"), '"by hand"'] };
  content.write([{ key: marker, next }], clock.monotonicMs());
  await clock.advance(60_000);
  engine.contribute(KEY, { ...entry("www", ["192.0.2.1"]), deleting: true });
  for (const [createdAtMs, name] of ["first", "second"].entries()) {
    const one = entry("www", ["192.0.2.9"]);
    const object = { ...one.object, name };
    const items = one.found.items.map((item) => ({ ...item, provenance: object, createdAtMs }));
    engine.contribute(KEY, { ...one, object, found: { ...one.found, items } });
  }
  await clock.advance(5_000);
  const lastTo = (name: string) =>
    reports.filter(({ object }) => object.name === name).at(-1)?.names[0];
  expect(lastTo("first")).toMatchObject({ state: "held", code: "MarkerShared" });
  expect(lastTo("second")).toMatchObject({
    state: "held",
    code: "MarkerShared",
    message: `${lastTo("first")?.message}; dnsentry/default/first wants equal data and comes first`,
  });
});

test("what another object serves does not hide that another type is held (simulator, mixed 146)", async () => {
  const { clock, engine, zoneInput, reports } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  const made = [entry("www", ["192.0.2.1"]), entry("www", ["2001:db8::1"], "AAAA")] as const;
  const object = { ...made[0].object, name: "second" };
  const items = made.flatMap(({ found }) =>
    found.items.map((item) => ({ ...item, provenance: object, createdAtMs: 1 })),
  );
  engine.contribute(KEY, { ...made[0], object, found: { ...made[0].found, items } });
  await clock.advance(5_000);
  const report = reports.filter((one) => one.object.name === "second").at(-1);
  expect(report?.names[0]).toMatchObject({ state: "held", code: "UnmanagedType" });
});

test.each([
  ["nobody else wants the name", null],
  ["another wants the same type", "A"],
  ["another wants another type", "CNAME"],
])(
  "Z-2: an entry of a living Service does not wait for its record to go where %s",
  async (_who, type) => {
    const original = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
    // The Service lists every name that its entry has.
    const found = entry("www", ["192.0.2.1"]).found;
    const { clock, engine, zoneInput, values, reports } = engineWorld({
      observer: fakeObserver("alive", { found }),
    });
    engine.openZone(zoneInput);
    const made = entry("www", ["192.0.2.1"]);
    const items = made.found.items.map((item) => ({ ...item, provenance: original }));
    const changed = { ...made, found: { ...made.found, items } };
    engine.contribute(KEY, changed);
    await clock.advance(5_000);
    if (type !== null) {
      const other = entry("www", type === "A" ? ["192.0.2.9"] : ["x.example.net"], type);
      const later = other.found.items.map((item) => ({ ...item, createdAtMs: 1 }));
      const object = { ...other.object, name: "other" };
      engine.contribute(KEY, { ...other, object, found: { ...other.found, items: later } });
    }
    engine.contribute(KEY, { ...changed, deleting: true });
    await clock.advance(5_000);
    const lastReport = reports.filter(({ object }) => object.name === "www").at(-1);
    expect([lastReport?.names, values("www")]).toEqual([[], ["192.0.2.1"]]);
  },
);

test("Z-19: an entry that is deleted does not wait for one that wants the name elsewhere or nowhere yet (simulator, F15 20)", async () => {
  const { clock, engine, zoneInput, values, reports } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  const other = entry("www", ["192.0.2.9"]);
  engine.contribute(
    { ...KEY, account: "other" },
    { ...other, object: { ...other.object, name: "other" } },
  );
  engine.contribute(KEY, { ...entry("www", ["192.0.2.1"]), deleting: true });
  await clock.advance(5_000);
  const lastReport = reports.filter(({ object }) => object.name === "www").at(-1);
  expect([lastReport?.names, values("www")]).toEqual([[], ["192.0.2.1"]]);
});

test("S14: an entry that is deleted does not wait for a sibling's name that is refused (simulator, F08 607)", async () => {
  const original = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
  const { account, clock, engine, zoneInput, values, reports } = engineWorld();
  engine.openZone(zoneInput);
  const made = ["www", "two"].map((name) => {
    const one = entry(name, ["192.0.2.1"]);
    const items = one.found.items.map((item) => ({ ...item, provenance: original }));
    return { ...one, found: { ...one.found, items } };
  });
  for (const one of made) engine.contribute(KEY, one);
  await clock.advance(5_000);
  account.breakWith({
    ...NO_FAULTS,
    apply: () => [
      { kind: "rejects", code: "Refused", matches: ({ name }) => name.startsWith("www.") },
    ],
  });
  for (const one of made) engine.contribute(KEY, { ...one, deleting: true });
  await clock.advance(60_000);
  const lastReport = (name: string) =>
    reports.filter(({ object }) => object.name === name).at(-1)?.names;
  expect([lastReport("two"), values("two")]).toEqual([[], []]);
  expect([lastReport("www")?.[0]?.state, values("www")]).toEqual(["failed", ["192.0.2.1"]]);
});

test("Z-22: an entry that is deleted does not wait for an orphan that it never listed (simulator, F15 11)", async () => {
  const original = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
  const { clock, engine, zoneInput, values, content, reports } = engineWorld({
    observer: fakeObserver("absent"),
  });
  const keep = (name: string, type: string, value: string): void => {
    const rest = { setIdentifier: null, ttlSeconds: 300, properties: {}, routingPolicy: null };
    const next = { name: trustedDnsName(name), type, values: [value], ...rest };
    content.write([{ key: next, next }]);
  };
  keep("old.example.org", "A", "192.0.2.7");
  keep(
    "a-old.example.org",
    "TXT",
    '"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/web"',
  );
  engine.openZone(zoneInput);
  const made = entry("www", ["192.0.2.1"]);
  const items = made.found.items.map((item) => ({ ...item, provenance: original }));
  const changed = { ...made, found: { ...made.found, items } };
  engine.contribute(KEY, changed);
  await clock.advance(5_000);
  engine.contribute(KEY, { ...changed, deleting: true });
  await clock.advance(60_000);
  expect([reports.at(-1)?.names, values("www"), values("old")]).toEqual([[], [], ["192.0.2.7"]]);
});
