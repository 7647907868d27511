import { describe, expect, test } from "vitest";
import { nameOf, parseZone } from "../../../test/support/values/zone-text.ts";
import type { RecordSet } from "../../model/record-set.ts";
import {
  byName,
  type Claim,
  formatIntents,
  formatRows,
  type Intent,
  markerOf,
  parseIntents,
  parseRows,
  type Row,
  rowOf,
} from "./row.ts";

const [SET] = parseZone("www 300 A 192.0.2.1") as readonly [RecordSet];
const CLAIM: Claim = { owner: "me", resource: "service/default/web", cluster: "c1" };
const BARE: Claim = { owner: "me", resource: null, cluster: null };
const intent = (claim: Claim): Intent => ({
  name: nameOf("www"),
  type: "A",
  setIdentifier: null,
  claim,
  next: ["0123456789abcdef"],
});

describe.each([
  ["a full claim", CLAIM],
  ["a claim without object and cluster", BARE],
])("%s", (_, claim) => {
  test("is read back from a row and from an intent", () => {
    const row = rowOf(SET, claim);
    expect(parseRows(formatRows([row]))).toEqual({ ok: true, value: [row] });
    expect(parseIntents(formatIntents([intent(claim)]))).toEqual({
      ok: true,
      value: [intent(claim)],
    });
  });
});

test("what a claim does not say is not written, and is no label", () => {
  expect(formatRows([rowOf(SET, BARE)])).not.toMatch(/resource|cluster|null/);
  expect(markerOf(BARE).labels).toEqual({ owner: "me" });
  expect(markerOf(CLAIM).labels).toEqual({ ...CLAIM });
});

test("equal rows and intents give equal texts, whatever their order; rows of a name stand by type", () => {
  const api = { ...SET, name: nameOf("api") };
  const six = { ...SET, type: "AAAA" };
  const rows = [SET, api, six].map((set) => rowOf(set, CLAIM));
  const intents = [SET, api, six].map(({ name, type }) => ({ ...intent(CLAIM), name, type }));
  expect(formatRows([...rows].reverse())).toBe(formatRows(rows));
  expect(formatIntents([...intents].reverse())).toBe(formatIntents(intents));
  expect(
    byName([...rows].reverse())
      .get(SET.name)
      ?.map(({ type }) => type),
  ).toEqual(["A", "AAAA"]);
});

test("the first target stands alone too, as the proposal has it; without targets it is empty", () => {
  expect(formatRows([rowOf(SET, null)])).toContain('"target":"192.0.2.1"');
  expect(formatRows([rowOf({ ...SET, values: [] }, null)])).toContain('"target":""');
});

test("a set that is too long to be kept is known by its hash alone", () => {
  const values = (count: number) => Array.from({ length: count }, () => "x".repeat(100));
  expect(rowOf({ ...SET, values: values(40) }, CLAIM).targets).toHaveLength(40);
  const long = rowOf({ ...SET, values: values(41) }, CLAIM);
  expect(long.targets).toEqual([]);
  expect(long.hash).toMatch(/^[0-9a-f]{16}$/);
  expect(parseRows(formatRows([long]))).toEqual({ ok: true, value: [long] });
});

describe("rows that people wrote", () => {
  const ROW = {
    dnsname: "www.example.org",
    owner: "me",
    type: "A",
    targets: ["192.0.2.1"],
    ttl: 60,
    hash: "h",
  };
  const without = (field: string) =>
    Object.fromEntries(Object.entries(ROW).filter(([key]) => key !== field));
  const parsed = (row: unknown) => parseRows(JSON.stringify([ROW, row]));

  test.each<[string, unknown]>([
    ["no name", without("dnsname")],
    ["no type", without("type")],
    ["no owner", without("owner")],
    ["targets that are no list", { ...ROW, targets: 7 }],
    ["an owner and no hash: it would own any data", without("hash")],
    ["a text", "www"],
    ["nothing", null],
    ["a list", [ROW]],
  ])("with %s make the whole registry unusable", (_, row) => {
    expect(parsed(row)).toEqual({ ok: false, error: "row 2 cannot be understood" });
  });

  test("no TTL is 0, and a row of nobody has no hash", () => {
    const [, bare] = rowsOf(parsed(without("ttl")));
    expect(bare).toMatchObject({ ttlSeconds: 0, hash: "h" });
    const [, unowned] = rowsOf(parsed({ ...ROW, owner: "" }));
    expect(unowned).toMatchObject({ claim: null, ttlSeconds: 60, hash: null });
  });

  test.each(["", "{}", "null", "[1"])("%s is no list", (text) => {
    expect(parseRows(text)).toEqual({ ok: false, error: "it is not a list in JSON" });
  });

  test.each(["owner", "type", "dnsname"])("an intent without %s likewise", (field) => {
    const full = { dnsname: "www.example.org", owner: "me", type: "A", next: [] };
    expect(parseIntents(JSON.stringify([full])).ok).toBe(true);
    const some = Object.fromEntries(Object.entries(full).filter(([key]) => key !== field));
    expect(parseIntents(JSON.stringify([some])).ok).toBe(false);
    expect(parseIntents(JSON.stringify([{ ...full, next: 7 }])).ok).toBe(false);
  });
});

function rowsOf(result: ReturnType<typeof parseRows>): readonly Row[] {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
