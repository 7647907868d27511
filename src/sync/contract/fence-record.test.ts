/** The fence record as text, and what a writer concludes from it: one table for each. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeFence, takenFrom } from "../fence/fence-verdict.ts";
import {
  DISMISSED_MAX,
  type FenceRecord,
  fenceName,
  fenceSet,
  parseFence,
} from "./fence-record.ts";

const APEX = trustedDnsName("example.org");
const NAME = trustedDnsName("x._zonekeeper-fence.example.org");
const TTL = { minSeconds: 0, maxSeconds: 3_600 };
const plain: FenceRecord = { domain: "c/n/l", epoch: 2, contestedBy: null, dismissed: [] };
const us = { domain: "c/n/l", epoch: 2 };

test("what is written is read as it was, whatever the names", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
  const records = fc.record<FenceRecord>({
    domain: name,
    epoch: fc.integer({ min: 0, max: 1e15 - 1 }),
    term: name,
    contestedBy: fc.option(name),
    dismissed: fc.array(name, { maxLength: DISMISSED_MAX }),
    shared: fc.constant(true as const),
  });
  fc.assert(
    fc.property(records, (record) => {
      expect(parseFence(fenceSet(NAME, record, TTL))).toEqual(record);
    }),
  );
});

test("the name is a hash below an underscored label at the apex; an apex may be too long for it", () => {
  expect(fenceName(APEX, "my-group")).toMatch(/^[0-9a-f]{16}\._zonekeeper-fence\.example\.org$/);
  expect(fenceName(APEX, "my-group")).not.toBe(fenceName(APEX, "other"));
  const long = trustedDnsName(Array.from({ length: 4 }, () => "a".repeat(56)).join("."));
  expect(fenceName(long, "my-group")).toBeNull();
});

test("no tool takes it for a marker: there is no heritage in it", () => {
  expect(fenceSet(NAME, plain, TTL).values).toEqual(['"v=1;domain=c/n/l;epoch=2"']);
});

describe("conclusions", () => {
  const found = (record: Partial<FenceRecord>) => [fenceSet(NAME, { ...plain, ...record }, TTL)];
  const wait = { is: "stop", stop: { code: "HeldBy", other: "d/n/l" } };
  const beside = '"v=1;domain=d/n/l;epoch=7;shared=1"';
  test.each([
    ["there is no record", [], { is: "write", next: plain }],
    ["ours", found({}), { is: "ours" }],
    ["of our Lease without a name", found({ domain: "u/n/l" }), { is: "write", next: plain }],
    ["one that others may share", found({ domain: "d/n/l", shared: true }), wait],
    ["ours, and another one", found({ shared: true, beside: [beside] }), wait],
    ["ours, an epoch before", found({ epoch: 1 }), { is: "write", next: plain }],
    ["ours, an epoch later", found({ epoch: 3 }), { is: "demote", epoch: 3 }],
    ["ours, later and contested", found({ epoch: 3, contestedBy: "d" }), { is: "demote" }],
    ["ours, contested", found({ contestedBy: "d" }), { is: "stop", stop: { other: "d" } }],
    ["of another installation, of any epoch", found({ domain: "d/n/l", epoch: 1 }), wait],
    [
      "of another installation, contested by a third",
      found({ domain: "d/n/l", contestedBy: "e" }),
      wait,
    ],
    [
      "of another installation, and we were dismissed",
      found({ domain: "d/n/l", dismissed: ["e", "c/n/l"] }),
      { is: "stop", stop: { code: "OwnerTaken", other: "d/n/l" } },
    ],
    [
      "two texts",
      [{ ...fenceSet(NAME, plain, TTL), values: ['"a"', '"b"'] }],
      { is: "stop", stop: { code: "FenceUnreadable" } },
    ],
    [
      "a CNAME",
      [{ ...fenceSet(NAME, plain, TTL), type: "CNAME", values: ["example.net."] }],
      { is: "stop", stop: { code: "FenceUnreadable" } },
    ],
  ])("%s", (_what, sets, expected) => {
    expect(judgeFence(sets, { ...us, unnamed: "u/n/l" })).toMatchObject(expected);
  });

  const sharing = { ...us, shared: true } as const;
  const shared = { ...plain, shared: true } as const;
  test.each([
    ["no record", [], { is: "write", next: shared }],
    [
      "another one",
      [{ ...fenceSet(NAME, plain, TTL), values: [beside] }],
      { is: "write", next: { ...shared, beside: [beside] } },
    ],
    [
      "ours of an epoch before, and another one",
      found({ epoch: 1, shared: true, beside: [beside] }),
      { is: "write", next: { ...shared, beside: [beside] } },
    ],
    ["ours, and another one", found({ shared: true, beside: [beside] }), { is: "ours" }],
    ["another one that shares nothing", found({ domain: "d/n/l" }), wait],
  ])("who shares the owner id finds %s", (_what, sets, expected) => {
    expect(judgeFence(sets, sharing)).toEqual(
      expected === wait ? expect.objectContaining({ is: "stop" }) : expected,
    );
  });

  const ofOther = { ...shared, domain: "d/n/l", beside: [] as readonly string[] };
  const third = '"v=1;domain=e/n/l;epoch=1;shared=1"';
  const own = '"v=1;domain=c/n/l;epoch=1;shared=1"';
  test.each([
    ["and lets a third one", sharing, { ...shared, dismissed: ["d/n/l"], beside: [third] }],
    ["and is alone from then on", us, { ...plain, dismissed: ["d/n/l"] }],
  ])("who takes the owner id from one of several has its value only %s", (_what, self, next) => {
    const record = { ...ofOther, beside: [third, own] };
    expect(takenFrom(record, "d/n/l", self)).toEqual(next);
    expect(takenFrom({ ...record, beside: [own] }, "d/n/l", us)).not.toHaveProperty("beside");
  });

  test("a dispute under the domain that the Lease has without a name is settled from here", () => {
    const disputed = { ...plain, domain: "u/n/l", contestedBy: "d" };
    expect(takenFrom(disputed, "d", { ...us, unnamed: "u/n/l" })).toMatchObject({
      domain: us.domain,
      dismissed: ["d"],
    });
  });

  test("an epoch that is replaced keeps whom a person dismissed", () => {
    const verdict = judgeFence(found({ epoch: 1, dismissed: ["d"] }), us);
    expect(verdict).toEqual({ is: "write", next: { ...plain, dismissed: ["d"] } });
  });
});

describe("copies of one cluster", () => {
  const our = { ...plain, term: "0a" };
  const found = (record: Partial<FenceRecord>) => [fenceSet(NAME, { ...our, ...record }, TTL)];
  const self = { ...us, term: "0a" };
  test.each([
    ["our own term", found({}), self, { is: "ours" }],
    ["our epoch, of another term", found({ term: "0b" }), self, { is: "demote", epoch: 2 }],
    ["our epoch, from an earlier version", [fenceSet(NAME, plain, TTL)], self, { is: "ours" }],
    ["our epoch, and our terms have no id", found({ term: "0b" }), us, { is: "ours" }],
    ["an epoch before", found({ epoch: 1, term: "0b" }), self, { is: "write", next: our }],
    [
      "the epoch of a copy",
      found({ epoch: 1, term: "0b" }),
      { ...self, copyEpoch: 1 },
      { is: "contest", next: { epoch: 1, term: "0b", contestedBy: us.domain } },
    ],
    [
      "our epoch, which a copy has, too",
      found({ term: "0b" }),
      { ...self, copyEpoch: 2 },
      { is: "contest", next: { term: "0b", contestedBy: us.domain } },
    ],
    [
      "a later epoch than that of the copy",
      found({ epoch: 3 }),
      { ...self, copyEpoch: 1 },
      { is: "demote", epoch: 3 },
    ],
  ])("%s", (_what, sets, writer, expected) => {
    expect(judgeFence(sets, writer)).toMatchObject(expected);
  });

  test("both stop, and each can be the one that stays", () => {
    const disputed = { ...our, contestedBy: us.domain };
    for (const term of ["0a", "0c"])
      expect(judgeFence([fenceSet(NAME, disputed, TTL)], { ...us, epoch: 3, term })).toMatchObject({
        is: "stop",
        stop: {
          code: "OwnerContested",
          message: expect.stringContaining(`owner take --from ${us.domain} on the one that stays`),
        },
      });
    const taken = takenFrom(disputed, us.domain, { ...us, epoch: 3, term: "0c" });
    expect(taken).toEqual({ ...plain, epoch: 3, term: "0c" });
  });
});

describe("taking the owner id", () => {
  const contested: FenceRecord = { domain: "d", epoch: 9, contestedBy: "c/n/l", dismissed: [] };
  test.each([
    ["from who writes", contested, "d", ["d"]],
    ["from who contests us", { ...plain, contestedBy: "d" }, "d", ["d"]],
    ["back", { ...contested, contestedBy: null, dismissed: ["c/n/l", "e"] }, "d", ["d", "e"]],
    [
      "the latest three are kept",
      { ...contested, dismissed: ["e", "f", "g"] },
      "d",
      ["d", "e", "f"],
    ],
  ])("%s", (_what, record, from, dismissed) => {
    expect(takenFrom(record, from, us)).toEqual({ ...plain, dismissed });
  });

  test.each([
    ["a domain that is not there", contested, "e"],
    ["ourselves", plain, "c/n/l"],
    ["who does not contest", plain, "d"],
    ["with a stale term", { ...plain, epoch: 3, contestedBy: "d" }, "d"],
  ])("not from %s", (_what, record, from) => {
    expect(takenFrom(record, from, us)).toBeNull();
  });
});
