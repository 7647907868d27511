import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN, parseZone, shortName } from "../../../test/support/zone-text.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { openTxtOwnership, type TxtOwnershipOptions } from "./ownership.ts";

/** Marker text of an owner, for `service/default/web` unless told. */
const m = (owner: string, resource = "service/default/web") =>
  `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=${resource}"`;
const ME = m("me");
const YOU = m("you");

const open = (options: Partial<TxtOwnershipOptions> = {}) =>
  openTxtOwnership({ apex: ORIGIN, isOurs: (owner) => owner.startsWith("me"), ...options });

describe("read", () => {
  /** Each line: key, data, owner. */
  async function read(zone: string, options: Partial<TxtOwnershipOptions> = {}): Promise<string> {
    const owned = await open(options).read(parseZone(zone));
    return owned
      .map(({ name, type, data, marker, contested }) => {
        const owner = contested ? "contested" : (marker?.owner ?? "foreign");
        return `${shortName(name)} ${type} ${data === null ? "-" : data.values.join(" ")} ${owner}`;
      })
      .join("\n");
  }

  test.each([
    ["a typed marker", `www 300 A 192.0.2.1\na-www 300 TXT ${ME}`, "www A 192.0.2.1 me"],
    ["a fallback marker", `www 300 A 192.0.2.1\n_owner.a.www 300 TXT ${ME}`, "www A 192.0.2.1 me"],
    [
      "a fallback marker at the apex",
      `@ 300 A 192.0.2.1\n_owner.a 300 TXT ${ME}`,
      "@ A 192.0.2.1 me",
    ],
    [
      "a fallback marker of a wildcard",
      `* 300 A 192.0.2.1\n_owner.a._wildcard 300 TXT ${ME}`,
      "* A 192.0.2.1 me",
    ],
    ["a typed marker of a wildcard", `* 300 A 192.0.2.1\na-* 300 TXT ${ME}`, "* A 192.0.2.1 me"],
    ["a legacy marker", `www 300 A 192.0.2.1\nwww 300 TXT ${ME}`, "www A 192.0.2.1 me"],
    [
      "… which never speaks for AAAA",
      `www 300 AAAA 2001:db8::1\nwww 300 TXT ${ME}`,
      "www AAAA 2001:db8::1 foreign\nwww ANY - me",
    ],
    [
      "… nor for what it never managed",
      `www 300 MX 1 mx\nwww 300 TXT ${ME}`,
      "www ANY - me\nwww MX 1 mx foreign",
    ],
    [
      "a marker of one type is none of another",
      `www 300 AAAA 2001:db8::1\na-www 300 TXT ${ME}`,
      "www A - me\nwww AAAA 2001:db8::1 foreign",
    ],
    ["another's marker", `www 300 A 192.0.2.1\na-www 300 TXT ${YOU}`, "www A 192.0.2.1 you"],
    [
      "two owners",
      `www 300 A 192.0.2.1\na-www 300 TXT ${ME}\n_owner.a.www 300 TXT ${YOU}`,
      "www A 192.0.2.1 contested",
    ],
    [
      "two owners without data",
      `a-www 300 TXT ${ME}\n_owner.a.www 300 TXT ${YOU}`,
      "www A - contested",
    ],
    [
      "two markers of one owner",
      `www 300 A 192.0.2.1\na-www 300 TXT ${ME}\n_owner.a.www 300 TXT ${ME}`,
      "www A 192.0.2.1 me",
    ],
    ["a user's text", 'www 300 TXT "v=spf1 -all"', 'www TXT "v=spf1 -all" foreign'],
    ["a marked text", `www 300 TXT "hello"\ntxt-www 300 TXT ${ME}`, 'www TXT "hello" me'],
    [
      "a user's text beside a legacy marker is the user's",
      `www 300 TXT ${ME}\nwww 300 TXT "hello"\nwww 300 A 192.0.2.1`,
      'www A 192.0.2.1 me\nwww TXT "hello" foreign',
    ],
    [
      "… even if a marker for it stands elsewhere",
      `www 300 TXT ${ME}\nwww 300 TXT "hello"\ntxt-www 300 TXT ${ME}`,
      'www ANY - me\nwww TXT "hello" contested',
    ],
    [
      "two markers in one set",
      `www 300 A 192.0.2.1\na-www 300 TXT ${ME}\na-www 300 TXT ${YOU}`,
      "www A 192.0.2.1 contested",
    ],
    [
      "an owner that is missing is nobody",
      `www 300 A 192.0.2.1\na-www 300 TXT "heritage=external-dns"`,
      "www A 192.0.2.1 ",
    ],
    ["a marker without data", `a-www 300 TXT ${ME}`, "www A - me"],
    [
      "a marker for something outside the zone is text",
      `txt.a-x.example.com. 300 TXT ${ME}`,
      `txt.a-x.example.com. TXT ${ME} foreign`,
    ],
    ["an alias twin of v0.21", `www 300 CNAME x\ncname-www 300 TXT ${ME}`, "www CNAME x me"],
  ])("%s", async (_, zone, owned) => {
    expect(await read(zone)).toBe(owned);
  });

  test("the marker of an alias may have its old name", async () => {
    const sets = parseZone(`www 300 A 192.0.2.1\ncname-www 300 TXT ${ME}`).map(
      (set): RecordSet => (set.type === "A" ? { ...set, properties: { alias: "true" } } : set),
    );
    const owned = await open().read(sets);
    expect(owned.map(({ type, marker: found }) => [type, found?.owner])).toEqual([["A", "me"]]);
  });

  test("affixes of earlier configurations are read besides", async () => {
    const readAlso = [{ prefix: "txt.", suffix: "", wildcard: "any" }];
    const zone = `* 300 A 192.0.2.1\ntxt.a-any 300 TXT ${ME}\nold 300 A 192.0.2.2\ntxt.old 300 TXT ${ME}`;
    expect(await read(zone, { readAlso })).toBe("* A 192.0.2.1 me\nold A 192.0.2.2 me");
    // The plain label may be anybody's: the marker may have been that of the wildcard.
    expect(await read(`any 300 A 192.0.2.1\ntxt.a-any 300 TXT ${ME}`, { readAlso })).toBe(
      "any A 192.0.2.1 ",
    );
  });

  test("markers of routing policies keep apart by set identifier", async () => {
    const zone = `www 300 A 192.0.2.1 ; id=eu policy=weighted
      www 300 A 192.0.2.2 ; id=us policy=weighted
      a-www 300 TXT ${ME} ; id=eu policy=weighted
      a-www 300 TXT ${YOU} ; id=us policy=weighted`;
    expect(await read(zone)).toBe("www A 192.0.2.1 me\nwww A 192.0.2.2 you");
  });
});

describe("related", () => {
  test("names the labelled name and every marker name", () => {
    const names = open({ readAlso: [{ prefix: "t.", suffix: "", wildcard: "" }] }).related(
      nameOf("a-foo"),
    );
    for (const one of [
      "a-foo",
      "foo",
      "a-a-foo",
      "cname-a-foo",
      "_owner.caa.a-foo",
      "t.a-a-foo",
      "t.a-foo",
    ])
      expect(names).toContain(nameOf(one));
  });

  test("a name under nothing is related to itself at least", () => {
    expect(open().related(nameOf("_owner.a._wildcard"))).toContain(nameOf("*"));
  });

  test("confirm keeps nothing", async () => {
    const group = { name: nameOf("www"), keys: [], changes: [], preconditions: [] };
    await expect(
      open().confirm(group, { name: nameOf("www"), status: "applied" }),
    ).resolves.toBeUndefined();
    expect(open().format).toBe("txt");
  });
});
