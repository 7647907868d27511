import { describe, expect, test } from "vitest";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import { parseDesired, parseOwned, parseZone } from "../../test/support/values/zone-text.ts";
import { NO_TRANSFER } from "../model/transfer-request.ts";
import { rankDesired, rankReason } from "./conflict-order.ts";
import { contestText, sharedText } from "./rights.ts";

/** Who comes first of two record sets, and why. */
function first(desired: string, zone = "", clusterRank: Readonly<Record<string, number>> = {}) {
  const context = { current: parseOwned(zone), rules: rulesWith({ clusterRank }) };
  const [winner, loser] = rankDesired(parseDesired(desired), context);
  if (winner === undefined || loser === undefined) throw new Error("two record sets are needed");
  return `${winner.desired.provenance.name}: ${rankReason(winner, loser)}`;
}

describe("the conflict order in words (Z-15)", () => {
  test.each<[string, Parameters<typeof first>, string]>([
    [
      "the object in the marker",
      [
        "www 300 A 192.0.2.1 ; from=service/a/x created=5\nwww 300 A 192.0.2.2 ; from=service/a/y",
        "www 300 A 192.0.2.1 ; owner=me resource=service/a/x",
      ],
      "x: the marker at the name names it",
    ],
    [
      "the cluster",
      [
        "www 300 A 192.0.2.1 ; from=service/a/x cluster=c2\nwww 300 A 192.0.2.2 ; from=service/a/y cluster=c1 created=9",
        "",
        { c1: 0, c2: 1 },
      ],
      "y: its cluster comes first in the configuration",
    ],
    [
      "age",
      [
        "www 300 A 192.0.2.1 ; from=service/a/x created=2\nwww 300 A 192.0.2.2 ; from=service/a/y created=1",
      ],
      "y: it is older, of 1970-01-01T00:00:00Z",
    ],
    [
      "the name of equally old ones",
      ["www 300 A 192.0.2.9 ; from=service/a/x\nwww 300 A 192.0.2.2 ; from=service/a/y"],
      "x: both are equally old, and its name comes first",
    ],
    [
      "one object with two kinds",
      ["www 300 A 192.0.2.1 ; from=service/a/x\nwww 300 CNAME b.example.com ; from=service/a/x"],
      "x: one object wants both, and they cannot coexist",
    ],
  ])("%s", (_, given, expected) => {
    expect(first(...given)).toBe(expected);
  });

  test("a permit goes before everything else, and is reported", () => {
    const zone = parseOwned("www 300 A 192.0.2.1 ; owner=me resource=service/a/x");
    const [x, y] = [
      ...parseDesired("www 300 A 192.0.2.1 ; from=service/a/x created=1"),
      ...parseDesired("www 300 A 192.0.2.2 ; from=service/a/y created=2"),
    ];
    if (x === undefined || y === undefined) throw new Error("two record sets are needed");
    const permit = { owner: null, resource: "service/a/y" };
    const sets = [
      { ...x, transfer: { ...NO_TRANSFER, permit } },
      { ...y, transfer: { ...NO_TRANSFER, claim: true } },
    ];
    const rows = rankDesired(sets, { current: zone, rules: rulesWith() });
    expect(
      rows.map(({ desired: { provenance }, isPermitted }) => [provenance.name, isPermitted]),
    ).toEqual([
      ["y", true],
      ["x", false],
    ]);
    const [winner, loser] = rows;
    if (winner === undefined || loser === undefined) throw new Error("two record sets are needed");
    expect(rankReason(winner, loser)).toBe("the holder permits its claim");
    const both = { ...loser, isPermitted: true };
    expect(rankReason(both, winner)).toBe("the marker at the name names it");
  });

  test("a marker with its record goes before one without, and one at the key before another's", () => {
    const rank = (zone: string, desired: string) =>
      rankDesired(parseDesired(desired), { current: parseOwned(zone), rules: rulesWith() }).map(
        ({ incumbency }) => incumbency,
      );
    const set = "www 300 A 192.0.2.1";
    expect(rank("www 300 A 192.0.2.9 ; owner=me", set)).toEqual([0]);
    expect(rank('www 300 TXT "x" ; owner=me', set)).toEqual([1]);
    expect(rank("www 300 A - ; owner=me", set)).toEqual([2]);
    expect(rank("www 300 TXT - ; owner=me", set)).toEqual([3]);
    expect(rank("www 300 A 192.0.2.9 ; owner=you", set)).toEqual([4]);
    expect(rank("www 300 A 192.0.2.9 ; owner=me resource=a/b/c", set)).toEqual([4]);
    expect(rank('www 300 A - ; owner=me\nwww 300 TXT "x" ; owner=me', set)).toEqual([1]);
    expect(rank('www 300 A 192.0.2.9 ; owner=me\nwww 300 TXT "x" ; owner=me', set)).toEqual([0]);
    expect(rank("www 300 A - ; owner=me\nwww 300 TXT - ; owner=me", set)).toEqual([2]);
  });

  test("two kinds that one object wants come by key, not by data", () => {
    const sets = parseDesired('www 300 CNAME b.example.com\nwww 300 TXT "a"');
    for (const given of [sets, [...sets].reverse()])
      expect(
        rankDesired(given, { current: [], rules: rulesWith() }).map(
          ({ desired: want }) => want.type,
        ),
      ).toEqual(["CNAME", "TXT"]);
  });

  test("two record sets of one object for one key have an order too, whatever comes first", () => {
    const [a, b] = [...parseDesired("www 300 A 192.0.2.1"), ...parseDesired("www 300 A 192.0.2.2")];
    if (a === undefined || b === undefined) throw new Error("two record sets are needed");
    const context = { current: [], rules: rulesWith() };
    const order = (...sets: readonly (typeof a)[]) =>
      rankDesired(sets, context).map(({ desired: want }) => want);
    expect(order(a, b)).toEqual(order(b, a));
  });
});

describe("the way out of a marker that is shared", () => {
  const [set] = parseOwned("www 300 A 192.0.2.1 ; owner=me contested");

  test("two owners are named; for one owner whose marker shares a text the message says which", () => {
    if (set === undefined) throw new Error("a set is needed");
    expect(contestText(set)).toBe(
      'markers of the owners "me" and "you" claim the record; remove the wrong one',
    );
    const { owners: _, ...alone } = set;
    const [record = null] = parseZone('a-www 300 TXT "theirs"');
    const marker = set.marker === null ? null : { ...set.marker, record };
    expect(contestText({ ...alone, marker })).toContain(
      "the marker at a-www.example.org shares its record set with another text",
    );
    expect(contestText(alone)).toContain('the registry row of the owner "me" is for other data');
    expect(contestText({ ...alone, marker: null })).toContain("the marker at the name");
  });

  test("a marker outside the zone has no name to say", () => {
    const marker = { owner: "me", resource: null, cluster: null, labels: {}, record: null };
    expect(sharedText(marker)).toContain("move the other text in its record set");
  });
});

test("two record sets of one object for one key: the order of input never matters, whatever differs", () => {
  const [set] = parseDesired("www 300 A 192.0.2.1 ; from=service/a/x");
  if (set === undefined) throw new Error("a record set is needed");
  const others = [
    { values: ["192.0.2.2"] },
    { ttlSeconds: 301 },
    { owner: "me2" },
    { properties: { proxied: "true" } },
    { routingPolicy: { type: "weighted", parameters: { weight: "1" } } },
  ].map((overrides) => ({ ...set, ...overrides }));
  const context = { current: [], rules: rulesWith() };
  for (const other of others) {
    const [one] = rankDesired([set, other], context);
    const [same] = rankDesired([other, set], context);
    expect(one?.desired).toEqual(same?.desired);
  }
});
