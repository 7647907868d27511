import { describe, expect, test } from "vitest";
import { updateFromText, updateOf } from "../../../../../test/support/name-server/update-text.ts";
import {
  APEX_TEXT,
  linesOf,
  nameOf,
  textOf,
  zoneFromText,
  zoneText,
} from "../../../../../test/support/name-server/zone-text.ts";
import type { ResourceRecord } from "../../wire/message/message.ts";
import { evaluateUpdate } from "./evaluate-update.ts";

const NS_TEXT = linesOf(APEX_TEXT)[1]?.replace("ns1", "ns1.example.org") ?? "";

interface Case {
  readonly zone?: string;
  readonly update: string;
  readonly rcode?: string;
  /** The zone afterwards, without SOA and apex NS; absent = as before. */
  readonly after?: string;
  /** How far the serial goes up; 1 when `after` is given. */
  readonly steps?: number;
}

function check(title: string, item: Case): void {
  test(title, () => {
    const zone = zoneFromText(item.zone ?? "");
    const before = zoneText(zone);
    const { rcode, change } = evaluateUpdate(zone, updateFromText(item.update));
    const after = change?.version ?? zone;
    expect(rcode).toBe(item.rcode ?? "NOERROR");
    if (item.after === undefined) expect(change).toBeNull();
    else expect(textOf(after.records())).toEqual([NS_TEXT, ...linesOf(item.after)].sort());
    expect(after.soa.serial - 7).toBe(item.steps ?? (item.after === undefined ? 0 : 1));
    expect(zoneText(zone), "the version before is never touched").toEqual(before);
  });
}

describe("additions (RFC 2136 §3.4.2.2)", () => {
  check("a new record", { update: "add a A 192.0.2.1", after: "a 300 A 192.0.2.1" });
  check("a record that is there: serial stays", {
    zone: "a A 192.0.2.1",
    update: "add a A 192.0.2.1",
  });
  check("another TTL moves the whole set", {
    zone: "a 60 A 192.0.2.1\n a 60 A 192.0.2.2",
    update: "add a 77 A 192.0.2.1",
    after: "a 77 A 192.0.2.1\n a 77 A 192.0.2.2",
  });
  check("a CNAME beside data is dropped without an error", {
    zone: "a A 192.0.2.1",
    update: "add a CNAME b",
  });
  check("data beside a CNAME is dropped without an error", {
    zone: "a CNAME b",
    update: "add a A 192.0.2.1",
  });
  check("a drop spares the rest of the message", {
    zone: "a CNAME b",
    update: "add a A 192.0.2.1\n add c A 192.0.2.2",
    after: "a 300 CNAME b.example.org\n c 300 A 192.0.2.2",
  });
  check("a second CNAME takes the place of the first", {
    zone: "a CNAME b",
    update: "add a CNAME c",
    after: "a 300 CNAME c.example.org",
  });
  check("a CNAME at the apex is dropped", { update: "add @ CNAME b" });
  check("an empty non-terminal may become a CNAME", {
    zone: "x.a A 192.0.2.1",
    update: "add a CNAME b",
    after: "x.a 300 A 192.0.2.1\n a 300 CNAME b.example.org",
  });
});

describe("DNAME (RFC 6672 §5.2)", () => {
  check("a second one replaces the first", {
    zone: "d DNAME a",
    update: "add d 300 DNAME b",
    after: "d 300 DNAME b.example.org",
  });
  check("beside a CNAME it is dropped in silence", {
    zone: "d CNAME a",
    update: "add d 300 DNAME b",
  });
  check("a CNAME beside it is dropped in silence", {
    zone: "d DNAME a",
    update: "add d 300 CNAME b",
  });
  check("at a wildcard it is dropped in silence", { update: "add *.d 300 DNAME b" });
  check("names below it stay in the zone, hidden", {
    zone: "x.d A 192.0.2.1",
    update: "add d 300 DNAME b",
    after: "d 300 DNAME b.example.org\n x.d 300 A 192.0.2.1",
  });
});

describe("removals (RFC 2136 §3.4.2.3, §3.4.2.4)", () => {
  check("one record of two", {
    zone: "a A 192.0.2.1\n a A 192.0.2.2",
    update: "delete a A 192.0.2.1",
    after: "a 300 A 192.0.2.2",
  });
  check("a set", {
    zone: 'a A 192.0.2.1\n a TXT "x"',
    update: "delete a A",
    after: 'a 300 TXT "x"',
  });
  check("a name", { zone: 'a A 192.0.2.1\n a TXT "x"', update: "delete a", after: "" });
  check("what is not there", { update: "delete a\n delete b A\n delete c A 192.0.2.1" });
  check("the apex but for SOA and NS", {
    zone: '@ TXT "x"',
    update: "delete @",
    after: "",
  });
  check("never the set of apex NS", { update: "delete @ NS" });
  check("never the last apex NS", { update: "delete @ NS ns1" });
  check("an apex NS that is not the last", {
    zone: "@ 3600 NS ns2",
    update: "delete @ NS ns2",
    after: "",
  });
  check("never the SOA", {
    update:
      "delete @ SOA\n delete @ SOA ns1.example.org hostmaster.example.org 7 3600 600 86400 60",
  });
  check("NS sets elsewhere are ordinary", {
    zone: "sub NS ns.example.net.",
    update: "delete sub NS ns.example.net.",
    after: "",
  });
});

describe("order inside a message", () => {
  check("remove the address, add the alias", {
    zone: "a A 192.0.2.1",
    update: "delete a A\n add a CNAME b",
    after: "a 300 CNAME b.example.org",
  });
  check("add the alias, remove the address: nothing is left, as BIND and Knot have it", {
    zone: "a A 192.0.2.1",
    update: "add a CNAME b\n delete a A",
    after: "",
  });
  check("remove and add the same: serial stays", {
    zone: "a A 192.0.2.1\n b.a A 192.0.2.2",
    update: "delete a A\n delete b.a\n add b.a A 192.0.2.2\n add a A 192.0.2.1",
  });
  check("an empty update", { update: "" });
});

describe("the SOA (RFC 2136 §3.4.2.2)", () => {
  const soa = (serial: number) =>
    `add @ 3600 SOA ns1.example.org hostmaster.example.org ${serial} 3600 600 86400 60`;
  check("a lower serial is ignored", { update: soa(6) });
  check("an equal serial is ignored", { update: soa(7).replace("86400", "1") });
  check("a higher serial is taken as it is", { update: soa(100), after: "", steps: 93 });
  check("a higher serial with other changes is not raised again", {
    update: `${soa(100)}\n add a A 192.0.2.1`,
    after: "a 300 A 192.0.2.1",
    steps: 93,
  });
  check("an SOA elsewhere is ignored", {
    update: "add a SOA ns1.example.org hostmaster.example.org 100 3600 600 86400 60",
  });
});

describe("prerequisites (RFC 2136 §3.2)", () => {
  const zone = "a A 192.0.2.1\n a A 192.0.2.2\n x.ent A 192.0.2.3";
  const update = "add z A 192.0.2.9";
  const after = `a 300 A 192.0.2.1\n a 300 A 192.0.2.2\n x.ent 300 A 192.0.2.3\n z 300 A 192.0.2.9`;
  const holds = ["yxdomain a", "nxdomain b", "yxrrset a A", "nxrrset a TXT", "nxrrset b A"];
  for (const line of holds) check(`${line} holds`, { zone, update: `${line}\n${update}`, after });
  check("the exact set in any order", {
    zone,
    update: `yxrrset a A 192.0.2.2\n yxrrset a A 192.0.2.1\n${update}`,
    after,
  });
  check("an empty non-terminal is not in use (§2.4.5)", {
    zone,
    update: `nxdomain ent\n${update}`,
    after,
  });
  const fails: readonly (readonly [string, string])[] = [
    ["yxdomain b", "NXDOMAIN"],
    ["yxdomain ent", "NXDOMAIN"],
    ["nxdomain a", "YXDOMAIN"],
    ["yxrrset a TXT", "NXRRSET"],
    ["nxrrset a A", "YXRRSET"],
    ["yxrrset a A 192.0.2.1", "NXRRSET"],
    ["yxrrset a A 192.0.2.1\n yxrrset a A 192.0.2.2\n yxrrset a A 192.0.2.3", "NXRRSET"],
    ["yxrrset b A 192.0.2.1", "NXRRSET"],
    ["yxdomain other.example.net.", "NOTZONE"],
    ["nxdomain a\n yxdomain other.example.net.", "YXDOMAIN"],
  ];
  for (const [line, rcode] of fails)
    check(`${line.replaceAll("\n", " and")} fails with ${rcode}`, {
      zone,
      update: `${line}\n${update}`,
      rcode,
    });
});

describe("form (RFC 2136 §3.2, §3.4.1)", () => {
  const record = (fields: Partial<ResourceRecord>): ResourceRecord => ({
    name: nameOf("a"),
    type: "A",
    class: "IN",
    ttlSeconds: 0,
    data: "192.0.2.1",
    ...fields,
  });
  test.each([
    ["a TTL", record({ ttlSeconds: 1 })],
    ["class CH", record({ class: "CH" })],
    ["class ANY with data", record({ class: "ANY" })],
    ["class NONE with data", record({ class: "NONE" })],
    ["class IN without data", record({ data: null })],
    ["a meta type", record({ class: "ANY", type: "AXFR", data: null })],
  ])("a prerequisite with %s is FORMERR", (_title, condition) => {
    expect(evaluateUpdate(zoneFromText("a A 192.0.2.1"), updateOf([condition], []))).toEqual({
      rcode: "FORMERR",
      change: null,
    });
  });
  test.each([
    ["class CH", record({ class: "CH" })],
    ["an added record without data", record({ data: null })],
    ["an added ANY", record({ type: "ANY" })],
    ["a removal with a TTL", record({ class: "ANY", data: null, ttlSeconds: 1 })],
    ["a removal of a set with data", record({ class: "ANY" })],
    ["a removal of type AXFR", record({ class: "ANY", type: "AXFR", data: null })],
    ["a removal of one record without data", record({ class: "NONE", data: null })],
    ["a removal of one record of type ANY", record({ class: "NONE", type: "ANY" })],
  ])("an update with %s is FORMERR, and its sound neighbours are not done", (_title, update) => {
    const sound = record({ name: nameOf("sound") });
    expect(evaluateUpdate(zoneFromText(""), updateOf([], [sound, update]))).toEqual({
      rcode: "FORMERR",
      change: null,
    });
  });
  check("conditions are judged before the form of the updates (§3.2 before §3.4.1)", {
    update: "yxdomain b\n add a.example.net. A 192.0.2.1",
    rcode: "NXDOMAIN",
  });
  check("a name outside the zone is NOTZONE", {
    update: "add a A 192.0.2.1\n add a.example.net. A 192.0.2.1",
    rcode: "NOTZONE",
  });
});

test("the serial goes around (RFC 1982) and skips zero", () => {
  const top = "add @ 3600 SOA ns1.example.org hostmaster.example.org 2147483654 3600 600 86400 60";
  const last = top.replace("2147483654", "4294967295");
  const half = evaluateUpdate(zoneFromText(""), updateFromText(top)).change?.version;
  const full = half && evaluateUpdate(half, updateFromText(last)).change?.version;
  const over = full && evaluateUpdate(full, updateFromText("add a A 192.0.2.1")).change?.version;
  expect([half?.soa.serial, full?.soa.serial, over?.soa.serial]).toEqual([
    2147483654, 4294967295, 1,
  ]);
});

test("a zone has a largest size: the update that would go beyond is refused as a whole", () => {
  const zone = zoneFromText("a A 192.0.2.1");
  const fits = updateFromText("delete a A\n add b A 192.0.2.1\n add c A 192.0.2.1");
  expect(evaluateUpdate(zone, fits, 4).rcode).toBe("NOERROR");
  expect(evaluateUpdate(zone, fits, 3)).toEqual({ rcode: "REFUSED", change: null });
});
