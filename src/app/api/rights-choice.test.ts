import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import type { OwnershipRow, ZoneOwnership } from "../../sync/contract/ownership-rows.ts";
import { previewText, resultText, rightsText } from "../commands/ask/texts/rights-text.ts";
import { chooseRights, isCarriedOut, type RightsCommand } from "./rights-choice.ts";

const nameOf = (label: string) => trustedDnsName(`${label}.example.org`);
const row = (label: string, more: Partial<OwnershipRow> = {}): OwnershipRow => ({
  name: nameOf(label),
  type: "A",
  setIdentifier: null,
  values: ["192.0.2.1"],
  whose: "another",
  owners: ["gone"],
  resource: "service/shop/web",
  marker: `["marker of ${label}"]`,
  isPending: false,
  wantedBy: "dnsentry/shop/web",
  isAdoptable: false,
  permit: null,
  ...more,
});
const zoneWith = (
  rows: readonly OwnershipRow[],
  adoption: ZoneOwnership["adoption"] = "never",
): ZoneOwnership => ({
  key: { account: "a", zone: "example.org" },
  zone: {
    id: "example.org",
    name: trustedDnsName("example.org"),
    providerType: "memory",
    endpoint: "memory",
    view: "",
  },
  owners: ["me"],
  adoption,
  trouble: null,
  rows,
});
const unownedRow = row("plain", { whose: "nobody", owners: [], resource: null, marker: null });
const ownedRow = row("mine", { whose: "ours", owners: ["me"] });
const ROWS = [row("lost"), row("other", { owners: ["alive"] }), unownedRow, ownedRow];

const TRANSFER: RightsCommand = { verb: "transfer", from: "gone", to: "me", names: null };
const shown = (command: RightsCommand, zone = zoneWith(ROWS)) =>
  chooseRights([zone], command).map(
    (one) => `${one.row.name.split(".")[0]} ${one.order?.is ?? `left: ${one.reason}`}`,
  );

describe("a forced transfer", () => {
  test("takes what the one owner has and an object here wants, in exactly its present state", () => {
    expect(shown(TRANSFER)).toEqual(["lost transfer"]);
    expect(chooseRights([zoneWith(ROWS)], TRANSFER)[0]?.order).toEqual({
      is: "transfer",
      marker: '["marker of lost"]',
    });
    expect(shown({ ...TRANSFER, names: new Set([nameOf("other")]) })).toEqual([
      'other left: no marker of "gone" is there',
    ]);
  });

  test.each<[string, Partial<OwnershipRow>]>([
    ["no object of this instance wants this record", { wantedBy: null }],
    ["a marker without a record", { values: null }],
    ["a change of this record is under way", { isPending: true }],
    ["its marker has the format gardener", { format: "gardener" }],
    ["its markers name two owners", { whose: "contested", owners: ["gone", "third"] }],
    ["its markers name two owners", { whose: "contested", owners: ["gone", "me", "third"] }],
    ["its markers name two owners", { whose: "contested", owners: ["gone"] }],
  ])("leaves a record: %s", (reason, more) => {
    expect(shown(TRANSFER, zoneWith([row("lost", more)]))[0]).toContain(`left: `);
    expect(shown(TRANSFER, zoneWith([row("lost", more)]))[0]).toContain(reason);
  });

  test("ends the claim that an earlier one left: some of the record's markers had moved", () => {
    const half = row("lost", { whose: "contested", owners: ["gone", "me"] });
    const [choice] = chooseRights([zoneWith([half])], TRANSFER);
    expect(choice?.order).toEqual({
      is: "transfer",
      marker: '["marker of lost"]',
      ends: "gone",
    });
  });

  test("is for the instance that acts for the owner to be", () => {
    expect(shown({ ...TRANSFER, to: "west" })[0]).toContain(
      "acts for me. Ask the instance that acts for west",
    );
  });
});

describe("adoption and release", () => {
  const names = new Set(ROWS.map(({ name }) => name));

  test("adopt takes records without an owner, release ends our right to a record", () => {
    const left = ["lost", "other"].map(
      (label) => `${label} left: it belongs to ${label === "lost" ? "gone" : "alive"}`,
    );
    for (const [verb, done] of [
      ["adopt", "plain adopt"],
      ["release", "mine release"],
    ] as const)
      expect(shown({ verb, from: null, to: null, names }).map((one) => one.split(";")[0])).toEqual([
        ...left,
        done,
      ]);
  });

  test("adopt of an owner is about its orphans alone", () => {
    const orphan = row("left", { whose: "ours", owners: ["me"], orphan: "orphan: its kind" });
    const all = zoneWith([...ROWS, orphan, row("gone", { orphan: "orphan: its owner" })]);
    const command = { verb: "adopt", from: "me", to: null, names: null } as const;
    expect(shown(command, all)).toEqual(["left transfer"]);
  });

  test("what would be adopted again at once is not released", () => {
    const lines = shown({ verb: "release", from: null, to: null, names }, zoneWith(ROWS, "equal"));
    expect(lines.find((line) => line.startsWith("mine"))).toContain("zonekeeper.dev/release=true");
    const listed = zoneWith([row("mine", { whose: "ours", isAdoptable: true })], "listed");
    const command = { verb: "release", from: null, to: null, names } as const;
    expect(shown(command, listed)[0]).toContain("zonekeeper.dev/adopt lists it");
    expect(shown(command, zoneWith(ROWS, "listed"))).toContain("mine release");
  });
});

describe("an orphan", () => {
  const orphan = row("lost", { whose: "ours", owners: ["me"], orphan: "orphan: its kind is gone" });
  const names = new Set([nameOf("lost")]);
  const ordered = (command: RightsCommand, one = orphan) =>
    chooseRights([zoneWith([one])], command).map(({ order, reason }) => order ?? reason);

  test("is removed, or passes to the object that wants it, by adopt as by transfer", () => {
    const marker = '["marker of lost"]';
    const remove: RightsCommand = { verb: "remove", from: null, to: null, names };
    expect(ordered(remove)).toEqual([{ is: "remove", marker }]);
    const commands: readonly RightsCommand[] = [
      { ...remove, verb: "adopt" },
      { ...remove, verb: "adopt", from: "me", names: null },
      { ...TRANSFER, from: "me", names: null },
    ];
    for (const command of commands) {
      expect(ordered(command)).toEqual([{ is: "transfer", marker }]);
      expect(isCarriedOut(command, orphan)).toBe(false);
      expect(ordered(command, { ...orphan, wantedBy: null })).toEqual([
        "no object of this instance wants this record",
      ]);
    }
  });

  test("is nothing that its object wants: remove refuses that", () => {
    const { orphan: _, ...wanted } = orphan;
    const command: RightsCommand = { verb: "remove", from: null, to: null, names };
    expect(chooseRights([zoneWith([wanted])], command)[0]).toMatchObject({
      order: null,
      reason: expect.stringContaining("it is no orphan"),
      isRefused: true,
    });
  });
});

test("a preview shows what a record will be", () => {
  const becomes = { values: ["192.0.2.98"], ttlSeconds: 60 };
  const choices = chooseRights([zoneWith([{ ...unownedRow, becomes }])], {
    ...{ verb: "adopt", from: null, to: null },
    names: new Set([nameOf("plain")]),
  });
  const text = previewText(choices, { verb: "adopt", from: null, to: null });
  expect(text).toContain("for dnsentry/shop/web; becomes 192.0.2.98 (TTL 60)\n");
  expect(text).toContain("then 1 of these records become what their objects want. Do it");
  expect(text).not.toContain("Only markers");
});

test("a command is carried out when the record is whose it was to be", () => {
  expect(isCarriedOut(TRANSFER, ownedRow)).toBe(true);
  expect(isCarriedOut(TRANSFER, row("lost"))).toBe(false);
  expect(isCarriedOut({ ...TRANSFER, verb: "release" }, unownedRow)).toBe(true);
  expect(isCarriedOut({ ...TRANSFER, verb: "release" }, undefined)).toBe(false);
});

describe("texts", () => {
  test("a listing begins with counts and has a line for each record set", () => {
    const permit = { owner: "west", resource: "service/a/b" };
    const text = rightsText([
      zoneWith([
        ...ROWS,
        row("double", { whose: "contested", owners: ["a", "b"], values: null, permit }),
      ]),
    ]);
    expect(text).toContain(
      "zone example.org: 1 contested by a and b, 1 of alive, 1 of gone, 1 ours (me), 1 unowned",
    );
    expect(text).toMatch(
      /lost\.example\.org {3,}A +of gone +192\.0\.2\.1 +marker service\/shop\/web; wanted by/,
    );
    expect(text).toMatch(
      /double\.example\.org.*\(no record\).*may be claimed by service\/a\/b of west/,
    );
    expect(rightsText([], "", ["no zone is open"])).toBe("no zone is open\n");
  });

  test("a marker that proves no right is described by its trouble", () => {
    const half = { owners: [], values: null, wantedBy: null, trouble: "MarkerUnsigned" };
    const text = rightsText([
      zoneWith([row("half", half), row("whole", { ...half, values: ["192.0.2.1"] })]),
    ]);
    expect(text).toContain("zone example.org: 2 of an unproven owner (MarkerUnsigned)");
    expect(text).toMatch(
      /half\.example\.org.*of an unproven owner \(MarkerUnsigned\) +\(no record\)/,
    );
  });

  test("who wants a record through another account of the zone is told, and nobody where nobody does", () => {
    const unwanted = { whose: "ours", owners: ["me"], wantedBy: null } as const;
    const wantedByOtherAccount = { ...unwanted, wantedBeside: "dnsentry/b/web" };
    const text = rightsText([
      zoneWith([row("left", unwanted), row("other", wantedByOtherAccount)]),
    ]);
    expect(text).toMatch(/left\..*no object wants it/);
    expect(text).toMatch(/other\..*wanted by dnsentry\/b\/web through another account of the zone/);
  });

  test("10 000 names are 10 001 lines; what is beyond the bound is counted", () => {
    const many = Array.from({ length: 20_010 }, (_, at) => row(`n${at}`));
    expect(rightsText([zoneWith(many.slice(0, 10_000))]).split("\n")).toHaveLength(10_002);
    expect(rightsText([zoneWith(many)])).toContain("and 10 more; --output json has all");
  });

  test("a preview lists chosen and skipped records, a result lists open ones with the reason", () => {
    const choices = chooseRights(
      [zoneWith([row("lost"), row("left", { wantedBy: null })])],
      TRANSFER,
    );
    expect(previewText(choices, TRANSFER)).toBe(
      "  take over  lost.example.org A 192.0.2.1 (of gone, marker service/shop/web) for dnsentry/shop/web\n" +
        "  leave      left.example.org A 192.0.2.1: no object of this instance wants this record\n" +
        "1 to take over. Only markers are written. Do it with --yes.\n",
    );
    expect(previewText([], TRANSFER)).toBe(
      'Nothing to do: no marker of the owner "gone" was found. zonekeeper ownership list shows all owners.\n',
    );
    expect(previewText([], { ...TRANSFER, verb: "release", from: null })).toBe("Nothing to do.\n");
    expect(previewText([], TRANSFER, ["a zone cannot be read"])).toContain(
      "while zones cannot be read",
    );
    const results = choices.map((choice, at) => ({
      choice,
      isDone: at === 0,
      reason: "held",
      stays: at !== 0,
    }));
    expect(resultText(results)).toBe(
      "  done    lost.example.org A\n  open    left.example.org A: held\n1 of 2 done. Open orders stay for 60 seconds and are carried out if their hold ends by then.\n",
    );
    expect(resultText([])).toBe("Nothing to do.\n");
  });
});
