import { expect, test } from "vitest";
import { nameOf, parseZone } from "../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../test/support/worlds/zone-model.ts";
import { KNOWN_TYPES } from "./coexistence.ts";
import { asRead, preconditionsOf, setAt } from "./preconditions.ts";

const create = (text: string) => parseZone(text).map((next) => ({ op: "create", next }) as const);

test("a member of a routing policy asserts only its own absence beside the other members", () => {
  const zone = new ZoneModel(parseZone("www 300 CNAME a.example.com ; id=a policy=w"));
  const found = preconditionsOf(create("www 300 CNAME b.example.com ; id=b policy=w"), zone);
  const key = { name: nameOf("www"), type: "CNAME", setIdentifier: "b" };
  expect(found).toEqual([{ is: "absent", key }]);
});

test("equal preconditions stand once", () => {
  const writes = create("www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1");
  const found = preconditionsOf(writes, new ZoneModel([]));
  expect(found.map((one) => (one.is === "absent" ? one.key.type : one.is))).toEqual([
    "A",
    "CNAME",
    "AAAA",
  ]);
});

const text = (found: ReturnType<typeof preconditionsOf>) =>
  found.map((one) => {
    if (one.is === "absent") return `absent ${one.key.type}`;
    return one.is === "exact" ? `exact ${one.set.values.join()}` : `${one.is} ${one.name}`;
  });
const removals = (zone: string) =>
  parseZone(zone).map((previous) => ({ op: "remove", previous }) as const);

test("what is replaced or removed stands exactly as it was read (Z-8)", () => {
  const [previous] = parseZone("www 300 A 192.0.2.1");
  const [next] = parseZone("www 300 A 192.0.2.2");
  if (previous === undefined || next === undefined) throw new Error("two sets are needed");
  const empty = new ZoneModel([]);
  expect(preconditionsOf([{ op: "replace", previous, next }], empty)).toEqual([
    { is: "exact", set: previous },
  ]);
  expect(preconditionsOf([{ op: "remove", previous }], empty)).toEqual([
    { is: "exact", set: previous },
  ]);
});

test("a CNAME at an empty name asserts that the name is not in use", () => {
  const found = preconditionsOf(create("www 300 CNAME lb.example.com"), new ZoneModel([]));
  expect(text(found)).toEqual(["name-unused www.example.org"]);
});

test("a CNAME over ours asserts ours exactly and every other type absent", () => {
  const own = "www 300 A 192.0.2.1";
  const writes = [...removals(own), ...create("www 300 CNAME lb.example.com")];
  const found = text(preconditionsOf(writes, new ZoneModel(parseZone(own))));
  expect(found[0]).toBe("exact 192.0.2.1");
  expect(found).toEqual([
    "exact 192.0.2.1",
    ...KNOWN_TYPES.filter((type) => type !== "A").map((type) => `absent ${type}`),
  ]);
});

test("a CNAME beside signatures asserts every type absent: the name is in use", () => {
  const zone = new ZoneModel(parseZone("www 300 NSEC x.example.org A"));
  const found = text(preconditionsOf(create("www 300 CNAME lb.example.com"), zone));
  expect(found).toEqual(KNOWN_TYPES.map((type) => `absent ${type}`));
});

test("another type over our CNAME does not assert that the CNAME is absent, which goes first", () => {
  const own = "www 300 CNAME lb.example.com";
  const writes = [...removals(own), ...create("www 300 A 192.0.2.1")];
  const found = text(preconditionsOf(writes, new ZoneModel(parseZone(own))));
  expect(found).toEqual(["exact lb.example.com", "absent A"]);
});

test("members of a routing policy stand together beside signatures too", () => {
  const zone = parseZone(
    "www 300 CNAME a.example.com ; id=a policy=w\nwww 300 NSEC x.example.org A",
  );
  const found = preconditionsOf(
    create("www 300 CNAME b.example.com ; id=b policy=w"),
    new ZoneModel(zone),
  );
  expect(text(found)).toEqual(["absent CNAME"]);
});

test("a CNAME that is no member of that policy blocks the write", () => {
  const zone = new ZoneModel(parseZone("www 300 CNAME a.example.com ; id=a policy=geo"));
  const found = preconditionsOf(create("www 300 CNAME b.example.com ; id=b policy=w"), zone);
  expect(text(found)).toEqual(KNOWN_TYPES.map((type) => `absent ${type}`));
});

test("what was read at a key: absent if nothing, exactly that otherwise", () => {
  const zone = new ZoneModel(parseZone("www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1"));
  const keyOf = (type: string) => ({ name: nameOf("www"), type, setIdentifier: null });
  expect(setAt(keyOf("AAAA"), zone)?.values).toEqual(["2001:db8::1"]);
  expect(setAt(keyOf("TXT"), zone)).toBeUndefined();
  expect(asRead(keyOf("AAAA"), zone)).toMatchObject({ is: "exact", set: { type: "AAAA" } });
  expect(asRead(keyOf("TXT"), zone)).toEqual({ is: "absent", key: keyOf("TXT") });
});
