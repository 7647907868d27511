/** `explain` for markers and fences: their owner, and the records that they mark. */
import { describe, expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { FakeTerm } from "../../../test/support/ports/fake-term.ts";
import { nameOf, ORIGIN, parseZone } from "../../../test/support/values/zone-text.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { recordSetKeyText } from "../../model/record-set.ts";
import { openGardenerOwnership } from "../../ownership/gardener/registry.ts";
import { openNoopOwnership } from "../../ownership/noop/registry.ts";
import type { Ownership } from "../../ownership/ownership.ts";
import { openTxtOwnership } from "../../ownership/txt/ownership.ts";
import { withOtherFormats } from "../../ownership/with-other-formats.ts";
import { fenceName } from "../contract/fence-record.ts";
import type { NameExplanation } from "../contract/name-explanation.ts";

const isOwnedByUs = (owner: string): boolean => owner === "me";
const REGISTRIES: Readonly<Record<string, () => Ownership>> = {
  txt: () => openTxtOwnership({ apex: ORIGIN, isOwnedByUs }),
  gardener: () => openGardenerOwnership({ apex: ORIGIN, isOwnedByUs, atomic: true }),
  noop: () => openNoopOwnership({ owner: "me" }),
};
const heritage = (owner: string): string =>
  `TXT "heritage=external-dns,external-dns/owner=${owner},external-dns/resource=service/default/web"`;

/** A zone that has these lines when it is opened. */
async function opened(lines: string, format = "txt") {
  const term = new FakeTerm("uid-1/kube-system/zonekeeper", 3);
  const world = engineWorld({ engine: { fence: { term, record: true } } });
  const sets = parseZone(lines);
  world.content.write(
    sets.map((set) => ({ key: set, next: set })),
    0,
  );
  const ownership = withOtherFormats(REGISTRIES[format]?.() ?? world.zoneInput.ownership, {
    apex: ORIGIN,
    isOwnedByUs,
  });
  world.engine.openZone({ ...world.zoneInput, ownership });
  await world.clock.advance(1_000);
  const explain = async (name: string): Promise<NameExplanation> => {
    const [explanation] = await world.engine.explain(nameOf(name));
    if (explanation === undefined) throw new Error("no zone could hold it");
    return explanation;
  };
  /** `marker ours a-www TXT: www A`, followed by the marker that counts instead. */
  const described = async (name: string): Promise<readonly string[]> => {
    const { marks = [], standing } = await explain(name);
    return [
      ...standing.map((set) => `${set.type} ${set.whose}`),
      ...marks.map(({ is, whose, owner, format: form, of, beside = [] }) =>
        [is, whose, owner, form, ...of.map(recordSetKeyText), ...beside.map((at) => `not ${at}`)]
          .filter((part) => part !== null)
          .join(" "),
      ),
    ];
  };
  return { ...world, explain, described };
}

describe("a second marker of a record", () => {
  const WWW = "www 300 A 192.0.2.1";

  test.each([
    ["me", "marker ours me www.example.org A", "A ours"],
    ["them", "marker another them www.example.org A", "A another"],
  ])("of %s is shown as a marker, with the marker that counts", async (owner, expected, record) => {
    const { described } = await opened(
      `${WWW}\na-www 300 ${heritage(owner)}\nwww 300 ${heritage(owner)}`,
    );
    expect(await described("a-www")).toEqual([expected]);
    expect(await described("www")).toEqual([record, `${expected} not a-www.example.org`]);
  });

  test("is one beside a record that nobody marks, too", async () => {
    const mail = "www 300 MX 10 mx.example.org.";
    const { described } = await opened(
      `${WWW}\n${mail}\na-www 300 ${heritage("me")}\nwww 300 ${heritage("me")}`,
    );
    expect(await described("www")).toEqual([
      ...["A ours", "MX nobody"],
      "marker ours me www.example.org A not a-www.example.org",
    ]);
  });

  test("of another owner contests the record, and each shows its owner", async () => {
    const { described } = await opened(
      `${WWW}\na-www 300 ${heritage("me")}\n_owner.a.www 300 ${heritage("them")}`,
    );
    expect(await described("www")).toEqual(["A contested"]);
    expect(await described("a-www")).toEqual(["marker ours me www.example.org A"]);
    expect(await described("_owner.a.www")).toEqual([
      "marker another them www.example.org A not a-www.example.org",
    ]);
  });

  test("in one record set with a marker of another owner has no owner", async () => {
    const { described } = await opened(
      `${WWW}\na-www 300 ${heritage("me")}\na-www 300 ${heritage("them")}`,
    );
    expect(await described("a-www")).toEqual(["marker www.example.org A"]);
  });
});

describe("a marker of another format", () => {
  const GARDENER = (owner: string): string =>
    `comment-www 600 TXT "owner=${owner}"\ncomment-www 600 TXT "prefix=comment-"`;
  const WWW = "www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1";
  const BOTH = "www.example.org A www.example.org AAAA";

  test.each([
    ["txt", GARDENER("east"), "comment-www", `marker another east gardener ${BOTH}`],
    ["txt", GARDENER("me"), "comment-www", `marker ours me gardener ${BOTH}`],
    [
      "gardener",
      `a-www 300 ${heritage("east")}`,
      "a-www",
      "marker another east txt www.example.org A",
    ],
    ["noop", `a-www 300 ${heritage("east")}`, "a-www", "marker another east txt www.example.org A"],
  ])("under %s: %s", async (format, marker, name, expected) => {
    const { described, explain } = await opened(`${WWW}\n${marker}`, format);
    expect(await described(name)).toEqual([expected]);
    expect((await explain(name)).verdict).toBe("settled");
  });

  test("does not count beside the zone's own", async () => {
    const { described } = await opened(
      `www 300 A 192.0.2.1\na-www 300 ${heritage("me")}\n${GARDENER("east")}`,
    );
    expect(await described("comment-www")).toEqual([
      "marker another east gardener www.example.org A not a-www.example.org",
    ]);
    expect(await described("www")).toEqual(["A ours"]);
  });

  test("a text that is none stays a record", async () => {
    const { described } = await opened(`www 300 TXT "owner=me"\ncomment-www 600 TXT "hello"`);
    expect([await described("www"), await described("comment-www")]).toEqual([
      ["TXT nobody"],
      ["TXT nobody"],
    ]);
  });
});

describe("a fence (Z-17)", () => {
  const at = (owner: string): string => (fenceName(ORIGIN, owner) ?? "").replace(`.${ORIGIN}`, "");

  test("shows at its name which installation writes", async () => {
    const { clock, engine, explain } = await opened("");
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(5_000);
    expect(await explain(at("me"))).toMatchObject({
      verdict: "settled",
      standing: [],
      marks: [
        {
          ...{ is: "fence", whose: "ours" },
          fence: { domain: "uid-1/kube-system/zonekeeper", epoch: 3, contestedBy: null },
        },
      ],
    });
    expect(await explain(at("nobody"))).toMatchObject({ verdict: "unknown", standing: [] });
  });

  test("of another owner id is theirs, and one of a later version is a fence all the same", async () => {
    const { explain } = await opened(
      `${at("them")} 300 TXT "v=1;domain=uid-2/a/b;epoch=7"\n${at("later")} 300 TXT "v=9"`,
    );
    expect((await explain(at("them"))).marks).toMatchObject([
      { is: "fence", whose: "another", fence: { domain: "uid-2/a/b", epoch: 7 } },
    ]);
    expect((await explain(at("later"))).marks).toMatchObject([{ is: "fence", fence: null }]);
  });

  test("that cannot be read now is trouble, with the reason", async () => {
    const { account, explain } = await opened("");
    account.breakWith({ ...NO_FAULTS, read: () => [{ kind: "down" }] });
    expect(await explain(at("me"))).toMatchObject({
      verdict: "trouble",
      lastOutcome: expect.stringMatching(/^\w+: /),
    });
  });
});
