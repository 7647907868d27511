import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { APEX, engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { RealCrypto } from "../../app/ports/real-crypto.ts";
import { openTxtOwnership } from "../../ownership/txt/ownership.ts";

const ENCRYPTED =
  "h8UQ6jelUFUsEIn7SbFktc2MYXPx/q8lySqI4VwfVtVaIbb2nkHWV/88KKbuLtu7fJNzMir8ELVeVnRSY01KdiIuj7ledqZe5ailEjQaU5Z6uEKd5pgs6sH8";
const HERITAGE = "heritage=external-dns,external-dns/owner=me";

test.each([
  ["MarkerUnsigned", HERITAGE, 1],
  ["MarkerForged", `${HERITAGE},external-dns/sig=k1.AAAA`, 0],
  ["MarkerUnreadable", ENCRYPTED, 0],
])(
  "a marker that proves nothing holds the name, and what stands stays: %s",
  async (code, text, unsigned) => {
    const counts: (number | undefined)[] = [];
    const unsignedNames: (readonly string[])[] = [];
    const fixture = engineWorld({
      openGuard: () => ({
        admit: async (plans, zone) => {
          counts.push(zone.unsigned);
          unsignedNames.push(zone.unsignedNames?.(3) ?? []);
          return plans;
        },
        approve: async () => false,
        heldSets: () => [],
      }),
    });
    const www = trustedDnsName("www.example.org");
    const publish = (name: string, type: string, value: string) => {
      const rest = { setIdentifier: null, ttlSeconds: 300, properties: {}, routingPolicy: null };
      const next = { name: trustedDnsName(name), type, values: [value], ...rest };
      fixture.content.write([{ key: next, next }]);
    };
    publish(www, "A", "192.0.2.1");
    publish("a-www.example.org", "TXT", `"${text}"`);
    const keys = [{ id: "k1", secret: new Uint8Array(32).fill(1) }];
    const signing = { mode: "require" as const, keys, crypto: new RealCrypto() };
    const ownership = openTxtOwnership({
      apex: APEX,
      isOwnedByUs: (owner) => owner === "me",
      signing,
    });
    fixture.engine.openZone({ ...fixture.zoneInput, ownership });
    fixture.engine.contribute(KEY, entry("www", ["192.0.2.9"]));
    await fixture.clock.advance(5_000);
    expect(fixture.values("www")).toEqual(["192.0.2.1"]);
    const [rights] = await fixture.engine.ownership(new Set([www]));
    expect(rights?.rows.map(({ whose, owners, trouble }) => [whose, owners, trouble])).toEqual([
      ["another", [], code],
    ]);
    const [explained] = await fixture.engine.explain(www);
    expect(explained?.holds.map((hold) => hold.code)).toEqual([code]);
    expect(explained?.standing.map(({ whose }) => whose)).toEqual(["another"]);
    expect(counts.at(-1)).toBe(unsigned);
    expect(unsignedNames.at(-1)).toEqual(unsigned === 1 ? ["a-www.example.org"] : []);
    fixture.engine.withdraw(entry("www", []).object, "deleted-object");
    await fixture.clock.advance(5_000);
    expect([fixture.values("www"), fixture.values("a-www")]).toEqual([
      ["192.0.2.1"],
      [`"${text}"`],
    ]);
  },
);

test("a text with the form of a marker is held, and nobody else's record at its name waits for it", async () => {
  const { clock, engine, zoneInput, values } = engineWorld();
  const forged = entry("www", [`"${HERITAGE}"`], "TXT");
  const object = { ...forged.object, name: "forged" };
  const items = forged.found.items.map((item) => ({ ...item, provenance: object }));
  engine.openZone(zoneInput);
  engine.contribute(KEY, { ...forged, object, found: { ...forged.found, items } });
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  expect(values("www")).toEqual(["192.0.2.1"]);
  const [explained] = await engine.explain(trustedDnsName("www.example.org"));
  expect(explained?.holds.map(({ code }) => code)).toEqual(["LooksLikeMarker"]);
});

test("a text that is edited into the form of a marker leaves what stands, and its neighbours go on (simulator, F20 635)", async () => {
  const { clock, engine, zoneInput, content, values } = engineWorld();
  const texts = (value: string) => {
    const one = entry("www", [`"${value}"`], "TXT");
    const object = { ...one.object, name: "text" };
    const items = one.found.items.map((item) => ({ ...item, provenance: object }));
    return { ...one, object, found: { ...one.found, items } };
  };
  engine.openZone(zoneInput);
  engine.contribute(KEY, texts("hello"));
  await clock.advance(5_000);
  engine.contribute(KEY, texts(HERITAGE));
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  const here = content.at(trustedDnsName("www.example.org"));
  expect(here.map((set) => [set.type, ...set.values])).toEqual([
    ["A", "192.0.2.1"],
    ["TXT", '"hello"'],
  ]);
  expect(values("a-www")).toHaveLength(1);
});
