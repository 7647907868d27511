/** What is known of ids is bounded: what was put first goes first. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { type KnownRecord, RecordIds } from "./record-ids.ts";

const name = (label: string) => trustedDnsName(`${label}.example.org`);
const record = (id: string): KnownRecord => ({
  id,
  type: "A",
  value: "192.0.2.1",
  ttlSeconds: 300,
  proxied: false,
});

test("names leave from the oldest, and one that is put again is the newest", () => {
  const ids = new RecordIds(3);
  ids.put("z1", name("a"), [record("1")]);
  ids.put("z1", name("b"), [record("2")]);
  ids.put("z1", name("a"), [record("3")]);
  ids.put("z1", name("c"), [record("4"), record("5")]);
  expect(["a", "b", "c"].map((label) => ids.at("z1", name(label)).length)).toEqual([1, 0, 2]);
  expect(ids.at("z2", name("a"))).toEqual([]);
});

test("what is forgotten or empty takes no room", () => {
  const ids = new RecordIds(2);
  ids.put("z1", name("a"), [record("1"), record("2")]);
  ids.forget("z1", name("a"));
  ids.put("z1", name("none"), []);
  ids.put("z1", name("b"), [record("3"), record("4")]);
  expect(ids.at("z1", name("b"))).toHaveLength(2);
  ids.put("z1", name("b"), []);
  expect(ids.at("z1", name("b"))).toEqual([]);
});
