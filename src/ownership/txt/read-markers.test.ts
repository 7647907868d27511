import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN, parseZone, shortName } from "../../../test/support/values/zone-text.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { openTxtOwnership } from "./ownership.ts";
import type { TxtOwnershipOptions } from "./ownership-options.ts";

/** Marker text of an owner, for `service/default/web` unless told. */
const m = (owner: string, resource = "service/default/web") =>
  `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=${resource}"`;
const ME = m("me");
const YOU = m("you");

const open = (options: Partial<TxtOwnershipOptions> = {}) =>
  openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner.startsWith("me"), ...options });

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
      "… which never labels AAAA",
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
    [
      "the same text in a record of another type",
      `www 300 A 192.0.2.1\na-www 300 HINFO ${ME}`,
      `a-www HINFO ${ME} foreign\nwww A 192.0.2.1 foreign`,
    ],
    [
      "a second alias marker of v0.21",
      `www 300 CNAME x\ncname-www 300 TXT ${ME}`,
      "www CNAME x me",
    ],
  ])("%s", async (_, zone, owned) => {
    expect(await read(zone)).toBe(owned);
  });

  const aliases = (zone: string, alias: string) =>
    parseZone(zone).map((set): RecordSet => ({ ...set, properties: { alias } }));

  test.each([
    ["A", "true", "me"],
    ["A", "A", "me"],
    ["A", "false", null],
    ["AAAA", "true", null],
  ])("the marker of an alias may have its old name: %s with %s", async (type, alias, owner) => {
    const address = type === "A" ? "192.0.2.1" : "2001:db8::1";
    const zone = `www 300 ${type} ${address}\ncname-www 300 TXT ${ME}`;
    const owned = await open().read(aliases(zone, alias));
    expect(owned.find(({ data }) => data !== null)?.marker?.owner ?? null).toBe(owner);
  });

  test.each<[string, string, Partial<TxtOwnershipOptions>, string]>([
    ["its type before the old name of an alias", "_owner.cname.www", {}, "a-www"],
    [
      "its type before none",
      "_x.www",
      { readAlso: [{ prefix: "_x.", suffix: "", wildcard: "" }] },
      "a-www",
    ],
  ])("of two markers the best comes first: %s", async (_, other, options, best) => {
    const zone = `www 300 A 192.0.2.1\n${other} 300 TXT ${ME}\n${best} 300 TXT ${ME}`;
    const [view] = await open(options).read(aliases(zone, "true"));
    expect(view?.marker?.record?.name).toBe(nameOf(best));
  });

  test("a legacy marker of a prefix labels an alias, too", async () => {
    const readAlso = [{ prefix: "txt.", suffix: "", wildcard: "" }];
    const zone = `www 300 CNAME x\ntxt.www 300 TXT ${ME}`;
    expect(await read(zone, { readAlso })).toBe("www CNAME x me");
  });

  test("two ways to read a name that mean the same data leave no doubt", async () => {
    const readAlso = [{ prefix: "a-", suffix: "", wildcard: "" }];
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${ME}`;
    expect(await read(zone, { readAlso })).toBe("www A 192.0.2.1 me");
  });

  test("a marker says object and cluster, or neither", async () => {
    const all = ME.replace("external-dns/owner", "external-dns/cluster=c9,external-dns/owner");
    const objectOf = async (text: string) => {
      const [view] = await open().read(parseZone(`a-www 300 TXT ${text}`));
      return [view?.marker?.resource, view?.marker?.cluster];
    };
    expect(await objectOf(all)).toEqual(["service/default/web", "c9"]);
    expect(await objectOf('"heritage=external-dns,external-dns/owner=me"')).toEqual([null, null]);
  });

  test.each([
    ["two owners, sorted", YOU, ME, ["me", "you"], undefined],
    ["one owner", ME, ME, undefined, undefined],
    ["one owner, another object", ME, m("me", "service/a/x"), undefined, true],
    ["two owners, another object", ME, m("you", "service/a/x"), ["me", "you"], undefined],
    ["no object and one", '"heritage=external-dns,external-dns/owner=me"', ME, undefined, true],
  ])(
    "owners and stale copies of two markers of one record: %s",
    async (_, first, second, owners, hasStaleCopy) => {
      const markers = `_owner.a.www 300 TXT ${first}\na-www 300 TXT ${second}`;
      const [view] = await open().read(parseZone(`www 300 A 192.0.2.1\n${markers}`));
      expect([view?.owners, view?.marker?.hasStaleCopy]).toEqual([owners, hasStaleCopy]);
      const [half] = await open().read(parseZone(markers));
      expect([half?.owners, half?.marker?.hasStaleCopy]).toEqual([owners, undefined]);
    },
  );

  test.each([
    ["beside an MX without a marker", "www 300 MX 10 mx", undefined],
    ["beside an MX with one", `www 300 MX 10 mx\nmx-www 300 TXT ${ME}`, true],
    ["beside an AAAA", "www 300 AAAA 2001:db8::1", true],
    ["beside another name's MX", "w 300 MX 10 mx", true],
  ])("a marker without a type of another object, %s (ADR 0023)", async (_, line, hasStaleCopy) => {
    const markers = `a-www 300 TXT ${ME}\nwww 300 TXT ${m("me", "service/a/x")}`;
    const views = await open().read(parseZone(`www 300 A 192.0.2.1\n${markers}\n${line}`));
    expect(views.find(({ type }) => type === "A")?.marker?.hasStaleCopy).toBe(hasStaleCopy);
  });

  test("a pending marker of other data beside another's final one: the record is that one's", async () => {
    const pending = ME.replace(
      "owner=me",
      "data=+1,external-dns/owner=me,external-dns/state=pending",
    );
    const zone = `www 300 A 192.0.2.1\na-www 300 TXT ${pending}\n_owner.a.www 300 TXT ${YOU}`;
    expect(await read(zone)).toBe("www A 192.0.2.1 you\nwww A - me");
  });

  test("two pending markers of other data: nobody knows whose the record is", async () => {
    const pending = (marker: string) =>
      marker.replace("owner=", "data=+1,external-dns/state=pending,external-dns/owner=");
    const markers = `a-www 300 TXT ${pending(ME)}\n_owner.a.www 300 TXT ${pending(YOU)}`;
    expect(await read(`www 300 A 192.0.2.1\n${markers}`)).toBe("www A 192.0.2.1 contested");
  });

  test("a pending marker that can be read in two ways stays at both records", async () => {
    const readAlso = [{ prefix: "", suffix: "-old", wildcard: "" }];
    const pending = ME.replace(
      "owner=me",
      "data=+1,external-dns/owner=me,external-dns/state=pending",
    );
    const zone = `www 300 A 192.0.2.1\nwww-old 300 A 192.0.2.2\na-www-old 300 TXT ${pending}`;
    const owned = await open({ readAlso }).read(parseZone(zone));
    expect(owned.map(({ marker }) => marker?.trouble)).toEqual([
      "MarkerAmbiguous",
      "MarkerAmbiguous",
    ]);
  });

  test("what cannot be read names nobody", async () => {
    const [view] = await open().read(parseZone(`a-www 300 TXT "${"A".repeat(96)}"`));
    expect(view?.marker).toMatchObject({ owner: "", trouble: "MarkerUnreadable", resource: null });
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
