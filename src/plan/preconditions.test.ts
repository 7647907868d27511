import { expect, test } from "vitest";
import { ZoneModel } from "../../test/support/zone-model.ts";
import { nameOf, parseZone } from "../../test/support/zone-text.ts";
import { preconditionsOf } from "./preconditions.ts";

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
