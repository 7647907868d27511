import { describe, expect, test } from "vitest";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import { parseDesired, parseOwned, parseZone } from "../../test/support/values/zone-text.ts";
import { NO_TRANSFER } from "../model/transfer-request.ts";
import { rankDesired, rankReason } from "./conflict-order.ts";
import { contestText, sharedText } from "./rights.ts";

/** Who comes first of two wishes, and why. */
function first(desired: string, zone = "", clusterRank: Readonly<Record<string, number>> = {}) {
  const scene = { current: parseOwned(zone), rules: rulesWith({ clusterRank }) };
  const [winner, loser] = rankDesired(parseDesired(desired), scene);
  if (winner === undefined || loser === undefined) throw new Error("two wishes are needed");
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
      "y: it is older, of 1970-01-01T00:00:00.001Z",
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

  test("a permit goes before everything else, and is told of", () => {
    const zone = parseOwned("www 300 A 192.0.2.1 ; owner=me resource=service/a/x");
    const [x, y] = [
      ...parseDesired("www 300 A 192.0.2.1 ; from=service/a/x created=1"),
      ...parseDesired("www 300 A 192.0.2.2 ; from=service/a/y created=2"),
    ];
    if (x === undefined || y === undefined) throw new Error("two wishes are needed");
    const permit = { owner: null, resource: "service/a/y" };
    const wishes = [
      { ...x, transfer: { ...NO_TRANSFER, permit } },
      { ...y, transfer: { ...NO_TRANSFER, claim: true } },
    ];
    const rows = rankDesired(wishes, { current: zone, rules: rulesWith() });
    expect(
      rows.map(({ desired: { provenance }, isPermitted }) => [provenance.name, isPermitted]),
    ).toEqual([
      ["y", true],
      ["x", false],
    ]);
    const [winner, loser] = rows;
    if (winner === undefined || loser === undefined) throw new Error("two wishes are needed");
    expect(rankReason(winner, loser)).toBe("the holder permits its claim");
    const both = { ...loser, isPermitted: true };
    expect(rankReason(both, winner)).toBe("the marker at the name names it");
  });

  test("a marker with its record goes before one without, and one at the key before another's", () => {
    const rank = (zone: string, desired: string) =>
      rankDesired(parseDesired(desired), { current: parseOwned(zone), rules: rulesWith() }).map(
        ({ incumbency }) => incumbency,
      );
    const wish = "www 300 A 192.0.2.1";
    expect(rank("www 300 A 192.0.2.9 ; owner=me", wish)).toEqual([0]);
    expect(rank('www 300 TXT "x" ; owner=me', wish)).toEqual([1]);
    expect(rank("www 300 A - ; owner=me", wish)).toEqual([2]);
    expect(rank("www 300 TXT - ; owner=me", wish)).toEqual([3]);
    expect(rank("www 300 A 192.0.2.9 ; owner=you", wish)).toEqual([4]);
    expect(rank("www 300 A 192.0.2.9 ; owner=me resource=a/b/c", wish)).toEqual([4]);
    expect(rank('www 300 A - ; owner=me\nwww 300 TXT "x" ; owner=me', wish)).toEqual([1]);
    expect(rank('www 300 A 192.0.2.9 ; owner=me\nwww 300 TXT "x" ; owner=me', wish)).toEqual([0]);
    expect(rank("www 300 A - ; owner=me\nwww 300 TXT - ; owner=me", wish)).toEqual([2]);
  });

  test("two kinds that one object wants come by key, not by data", () => {
    const wishes = parseDesired('www 300 CNAME b.example.com\nwww 300 TXT "a"');
    for (const given of [wishes, [...wishes].reverse()])
      expect(
        rankDesired(given, { current: [], rules: rulesWith() }).map(
          ({ desired: want }) => want.type,
        ),
      ).toEqual(["CNAME", "TXT"]);
  });

  test("two wishes of one object for one key have an order too, whatever comes first", () => {
    const [a, b] = [...parseDesired("www 300 A 192.0.2.1"), ...parseDesired("www 300 A 192.0.2.2")];
    if (a === undefined || b === undefined) throw new Error("two wishes are needed");
    const scene = { current: [], rules: rulesWith() };
    const order = (...wishes: readonly (typeof a)[]) =>
      rankDesired(wishes, scene).map(({ desired: want }) => want);
    expect(order(a, b)).toEqual(order(b, a));
  });
});

describe("the way out of a marker that is shared", () => {
  const [set] = parseOwned("www 300 A 192.0.2.1 ; owner=me contested");

  test("two owners are named; one owner whose marker stands beside a text is told which", () => {
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

test("two wishes of one object for one key: the order of input never matters, whatever differs", () => {
  const [wish] = parseDesired("www 300 A 192.0.2.1 ; from=service/a/x");
  if (wish === undefined) throw new Error("a wish is needed");
  const others = [
    { values: ["192.0.2.2"] },
    { ttlSeconds: 301 },
    { owner: "me2" },
    { properties: { proxied: "true" } },
    { routingPolicy: { type: "weighted", parameters: { weight: "1" } } },
  ].map((parts) => ({ ...wish, ...parts }));
  const scene = { current: [], rules: rulesWith() };
  for (const other of others) {
    const [one] = rankDesired([wish, other], scene);
    const [same] = rankDesired([other, wish], scene);
    expect(one?.desired).toEqual(same?.desired);
  }
});
