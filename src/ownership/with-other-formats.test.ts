import { describe, expect, test } from "vitest";
import { MemoryLog } from "../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../test/support/ports/virtual-clock.ts";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import { nameOf, ORIGIN, parseDesired, parseZone } from "../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../test/support/worlds/memory-cluster.ts";
import { ZoneModel } from "../../test/support/worlds/zone-model.ts";
import { ConfigMapRegistry } from "../cluster/state/config-map-registry.ts";
import type { NamePlan } from "../plan/changes.ts";
import { planName } from "../plan/plan.ts";
import type { PlanRules } from "../plan/rules.ts";
import { openConfigMapOwnership } from "./configmap/ownership.ts";
import { openGardenerOwnership } from "./gardener/registry.ts";
import { openMeshOwnership } from "./mesh/registry.ts";
import { openNoopOwnership } from "./noop/registry.ts";
import type { Ownership } from "./ownership.ts";
import { openTxtOwnership } from "./txt/ownership.ts";
import { withOtherFormats } from "./with-other-formats.ts";

const apex = ORIGIN;
const isOwnedByUs = (owner: string) => owner === "me";

async function open(format: string): Promise<Ownership> {
  const registry = registryOf(format);
  await registry.externalStore?.refresh();
  return withOtherFormats(registry, { apex, isOwnedByUs });
}

function registryOf(format: string): Ownership {
  if (format === "txt") return openTxtOwnership({ apex, isOwnedByUs });
  if (format === "gardener") return openGardenerOwnership({ apex, isOwnedByUs, atomic: true });
  if (format === "mesh") return openMeshOwnership({ apex, isOwnedByUs, atomic: true });
  if (format === "noop") return openNoopOwnership({ owner: "me" });
  const writer = new MemoryCluster("c1");
  return openConfigMapOwnership({
    apex: ORIGIN,
    store: new ConfigMapRegistry({ writer, namespace: "default", owner: "me" }),
    id: "z",
    zone: "example.org",
    atomic: true,
    clock: new VirtualClock(),
    log: new MemoryLog(),
  });
}

const FORMATS = ["txt", "gardener", "mesh", "configmap", "noop"];
const GROUPS = ["zoneMarkers", "permits", "migration", "externalStore", "otherFormats"] as const;
const TXT = (owner: string, name = "a-www") =>
  `${name} 300 TXT "heritage=external-dns,external-dns/owner=${owner},external-dns/resource=service/default/web"`;
const GARDENER = (owner: string) =>
  `comment-www 600 TXT "owner=${owner}"\ncomment-www 600 TXT "prefix=comment-"`;
const MESH = (owner: string, name = "www") =>
  `${name} 300 TXT "cluster=c1,m=mesh,mesh=${owner},ns=default,resource=service/default/web,types=A"`;

const MARKERS: readonly (readonly [string, string, (owner: string) => string])[] = [
  ["external-dns's typed", "txt", (owner) => TXT(owner)],
  ["external-dns's legacy", "txt", (owner) => TXT(owner, "www")],
  ["our label form of", "txt", (owner) => TXT(owner, "_owner.a.www")],
  ["Gardener's", "gardener", GARDENER],
  ["dns-sync's", "mesh", (owner) => MESH(owner)],
  ["the aside form of dns-sync's", "mesh", (owner) => MESH(owner, "_mesh.www")],
];
const PAIRS = FORMATS.flatMap((format) =>
  MARKERS.flatMap(([what, other, marker]) =>
    other === format ? [] : [{ format, what, other, marker }],
  ),
);

const EQUAL: Partial<PlanRules> = { owners: new Set(["me"]), adoption: { mode: "equal" } };

async function plan(
  ownership: Ownership,
  zone: ZoneModel,
  rules: Partial<PlanRules> = EQUAL,
): Promise<NamePlan> {
  const www = nameOf("www");
  const current = (await ownership.read(zone.all())).filter(({ name }) => name === www);
  return planName(www, parseDesired("www 300 A 192.0.2.1"), current, rulesWith(rules));
}

/** As the engine looks at a single name. */
async function atOnce(ownership: Ownership, zone: ZoneModel) {
  const sets = ownership.related(nameOf("www")).flatMap((name) => zone.at(name));
  const all = await ownership.read(sets);
  return all.filter(({ name }) => name === "www.example.org");
}

describe.each(PAIRS)("under $format, $what marker", ({ format, other, marker }) => {
  test("of another owner: the record is not adopted, and it is his", async () => {
    const zone = new ZoneModel(parseZone(`www 300 A 192.0.2.1\n${marker("east")}`));
    const ownership = await open(format);
    const { changes, holds } = await plan(ownership, zone);
    expect(changes).toEqual([]);
    expect(holds.map(({ code }) => code)).toEqual(["ForeignMarker"]);
    expect(holds[0]?.message).toMatch(new RegExp(`"east" by the ${other} marker`));
    const view = (await atOnce(ownership, zone)).find(({ type }) => type === "A");
    expect(view?.marker).toMatchObject({ owner: "east", format: other });
    expect(await ownership.read(zone.all())).toContainEqual(view);
  });

  test("of another owner without a record: nothing is created over it", async () => {
    const zone = new ZoneModel(parseZone(marker("east")));
    const ownership = await open(format);
    const { changes, holds } = await plan(ownership, zone);
    expect(changes).toEqual([]);
    expect(holds.map(({ code }) => code)).toEqual(["ForeignMarker"]);
    expect((await atOnce(ownership, zone)).map((one) => one.marker?.owner)).toContain("east");
  });

  test("of ours gives no right and blocks nothing", async () => {
    const zone = new ZoneModel(parseZone(`www 300 A 192.0.2.1\n${marker("me")}`));
    const ownership = await open(format);
    const views = await ownership.read(zone.all());
    expect(views.map((view) => view.marker)).toEqual(views.map(() => null));
    const { changes } = await plan(ownership, zone);
    expect(changes.map(({ reason }) => reason.code)).toEqual(["Adopted"]);
  });

  test("says which names to look at after it changed", async () => {
    const ownership = await open(format);
    const markerNames = parseZone(marker("east")).map(({ name }) => name);
    const affected = new Set(markerNames.flatMap((markerName) => ownership.affected(markerName)));
    expect(affected).toContain("www.example.org");
  });

  test("of another owner is not transferred by an order", async () => {
    const zone = new ZoneModel(parseZone(`www 300 A 192.0.2.1\n${marker("east")}`));
    const ownership = await open(format);
    const view = (await atOnce(ownership, zone)).find(({ type }) => type === "A");
    const order = { is: "transfer", marker: JSON.stringify(view?.marker?.record?.values) } as const;
    const orders = new Map([["www.example.org A", order]]);
    expect((await plan(ownership, zone, { ...EQUAL, orders })).changes).toEqual([]);
  });
});

describe("a marker of Gardener's with another prefix", () => {
  const OTHER = (owner: string) =>
    `txt-www 600 TXT "owner=${owner}"\ntxt-www 600 TXT "prefix=txt-"`;

  test.each(FORMATS)("%s: the name is neither created over nor adopted", async (format) => {
    for (const record of ["", "www 300 A 192.0.2.1\n"]) {
      const zone = new ZoneModel(parseZone(`${record}${OTHER("you")}`));
      const { changes, holds } = await plan(await open(format), zone);
      expect(changes).toEqual([]);
      expect(holds.map(({ code }) => code)).toEqual([
        format === "gardener" && record !== "" ? "ForeignRecord" : "ForeignMarker",
      ]);
    }
  });

  test.each(FORMATS)("%s: after a whole reading it is known by its name", async (format) => {
    const zone = new ZoneModel(parseZone(`www 300 A 192.0.2.1\n${OTHER("you")}`));
    const ownership = await open(format);
    ownership.zoneMarkers?.learn(zone.all());
    expect(ownership.affected(nameOf("txt-www"))).toContain(nameOf("www"));
    const view = (await atOnce(ownership, zone)).find(({ type }) => type === "A");
    expect(view?.marker?.owner).toBe("you");
  });

  test("under gardener ours is rewritten where it stands, with its prefix", async () => {
    const zone = new ZoneModel(parseZone(`www 300 A 192.0.2.9\n${OTHER("me")}`));
    const made = await plan(await open("gardener"), zone);
    // Another process opened the registry: it has not seen the zone yet.
    const prepared = await (await open("gardener")).prepare(made, zone);
    if (!prepared.ok) throw new Error(JSON.stringify(prepared.holds));
    expect(zone.apply(prepared.group)).toBe(true);
    const [set] = zone.at("txt-www.example.org");
    expect(set?.values).toContain('"prefix=txt-"');
    expect(set?.values).toContain('"resource-A=service/default/web"');
    expect(zone.at("comment-www.example.org")).toEqual([]);
  });
});

test("a record of ours stays ours, whatever another format says", async () => {
  const zone = new ZoneModel(parseZone(`www 300 A 192.0.2.9\n${TXT("me")}\n${GARDENER("east")}`));
  const { changes } = await plan(await open("txt"), zone);
  expect(changes.map(({ reason }) => reason.code)).toEqual(["ValueChanged"]);
});

test("a marker that names no type blocks no types that its format does not know", async () => {
  const zone = new ZoneModel(parseZone(GARDENER("east")));
  const ownership = await open("txt");
  const current = (await ownership.read(zone.all())).filter(({ name }) => name === nameOf("www"));
  const codes = (desired: string) => {
    const rules = rulesWith({ ...EQUAL, managedTypes: new Set(["AAAA", "MX", "TXT"]) });
    const { holds } = planName(nameOf("www"), parseDesired(desired), current, rules);
    return holds.map(({ code }) => code);
  };
  expect(codes("www 300 AAAA 2001:db8::1")).toEqual(["ForeignMarker"]);
  expect(codes('www 300 TXT "hello"')).toEqual(["ForeignMarker"]);
  expect(codes("www 300 MX 10 mail.example.org")).toEqual([]);
});

test("below --noop-owns everything is ours, whoever marked it", async () => {
  const registry = openNoopOwnership({ owner: "me", owns: [ORIGIN] });
  const ownership = withOtherFormats(registry, { apex, isOwnedByUs, isAllOwnedByUs: () => true });
  const zone = new ZoneModel(parseZone(GARDENER("east")));
  const { changes } = await plan(ownership, zone);
  expect(changes.map(({ reason }) => reason.code)).toEqual(["Wanted"]);
  const read = await ownership.read(parseZone(TXT("you", "www")));
  expect(read).toMatchObject([{ marker: { owner: "me" }, contested: false }]);
});

const FORGED: readonly (readonly [string, string, string])[] = [
  ["external-dns marker", "a-bank", '"heritage=external-dns,external-dns/owner=east"'],
  [
    "external-dns marker in one of two strings",
    "a-bank",
    '"heritage=external-dns,external-dns/owner=east" ",heritage=mate"',
  ],
  [
    "external-dns marker in two strings",
    "a-bank",
    '"heritage=external-dns," "external-dns/owner=east"',
  ],
  ["Gardener marker", "comment-bank", '"prefix=comment-"'],
  ["Gardener marker in one of two strings", "comment-bank", '"prefix=comment-" "x"'],
  ["Gardener marker of another prefix", "txt-bank", '"prefix=txt-"'],
  ["dns-sync marker", "_mesh.bank", '"cluster=c1,m=mesh,mesh=east,types=A"'],
  ["dns-sync marker in one of two strings", "bank", '"m=mesh,mesh=east" ",hello"'],
];

describe.each(FORMATS)("a user's text under %s", (format) => {
  async function prepared(name: string, text: string, start = "") {
    const ownership = await open(format);
    const zone = new ZoneModel(parseZone(start));
    const current = (await ownership.read(zone.all())).filter((set) => set.name === nameOf(name));
    const desired = parseDesired(`${name} 300 TXT ${text}`);
    const made = planName(nameOf(name), desired, current, rulesWith(EQUAL));
    expect(made.changes).toHaveLength(1);
    return ownership.prepare(made, zone);
  }

  test.each(FORGED)("in the form of an %s is refused", async (_, name, text) => {
    const answer = await prepared(name, text);
    expect(answer.ok ? [] : answer.holds.map(({ code }) => code)).toEqual(["LooksLikeMarker"]);
  });

  test.each(['"v=spf1 -all"', '"owner=east"', '"v=DKIM1; k=rsa; p=abc"', '"meshed=east,a=b"'])(
    "that is none is written: %s",
    async (text) => {
      expect((await prepared("bank", text)).ok).toBe(true);
    },
  );

  test("that equals another format's marker of ours is not adopted as data", async () => {
    const other =
      format === "mesh"
        ? ["a-bank", TXT("me", "a-bank")]
        : ["_mesh.bank", MESH("me", "_mesh.bank")];
    const [name = "", line = ""] = other;
    const answer = await prepared(name, line.slice(line.indexOf('"')), line);
    expect(answer.ok ? [] : answer.holds.map(({ code }) => code)).toEqual(["LooksLikeMarker"]);
  });
});

test("what is proven to be unwanted goes, while a text of the name is refused", async () => {
  const markers = `${TXT("me")}\n${TXT("me", "aaaa-www")}`.replaceAll("default/web", "default/old");
  const zone = new ZoneModel(
    parseZone(`www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1\n${markers}`),
  );
  const ownership = await open("txt");
  const current = (await ownership.read(zone.all())).filter(({ name }) => name === nameOf("www"));
  const rules = rulesWith(EQUAL);
  const desired = parseDesired('www 300 TXT "heritage=external-dns"');
  const answer = await ownership.prepare(planName(nameOf("www"), desired, current, rules), zone);
  expect(answer).toMatchObject({
    ok: true,
    group: { changes: Array.from({ length: 4 }, () => ({ op: "remove" })) },
    holds: [{ key: { type: "TXT" }, code: "LooksLikeMarker", provenance: { name: "web" } }],
  });
  expect(answer.holds).toHaveLength(1);
});

test("… and waits as well where the registry cannot take its marker away", async () => {
  const registry = openGardenerOwnership({ apex, isOwnedByUs, atomic: false });
  const ownership = withOtherFormats(registry, { apex, isOwnedByUs });
  const zone = new ZoneModel(parseZone(`www 300 A 192.0.2.1\n${GARDENER("me")}`));
  const current = (await ownership.read(zone.all())).filter(({ name }) => name === nameOf("www"));
  const desired = parseDesired('www 300 TXT "heritage=external-dns"');
  const made = planName(nameOf("www"), desired, current, rulesWith(EQUAL));
  const answer = await ownership.prepare(made, zone);
  expect(answer.ok).toBe(false);
  expect(answer.holds?.map(({ key, code }) => `${key.type} ${code}`)).toEqual([
    "A LooksLikeMarker",
    "TXT LooksLikeMarker",
  ]);
  expect(answer.holds?.map(({ message }) => message.split(":")[0])).toEqual([
    "waits for another record of the name",
    "the text has the form of an ownership marker and is not written",
  ]);
});

const INSIDE: readonly (readonly [string, string, string])[] = [
  ["gardener", GARDENER("me"), TXT("you", "www")],
  ["gardener", `${GARDENER("me")}\ncomment-www 600 TXT "resource-TXT="`, MESH("you")],
  ["mesh", MESH("me", "_mesh.www").replace("types=A", "types=TXT"), TXT("you", "www")],
  ["txt", TXT("me", "txt-www"), MESH("you")],
];

test.each(INSIDE)(
  "%s: another's marker of another format in a text of ours is not taken away: %s, %s",
  async (format, own, other) => {
    const ownership = await open(format);
    for (const text of ["", '\nwww 300 TXT "hello"']) {
      const zone = new ZoneModel(parseZone(`${own}\n${other}${text}`));
      const read = async () =>
        (await ownership.read(zone.all())).filter(({ name }) => name === nameOf("www"));
      const view = (await read()).find(({ type }) => type === "TXT");
      expect(view).toMatchObject({ contested: true, owners: ["me", "you"] });
      for (const desired of ["", 'www 300 TXT "new"']) {
        const made = planName(nameOf("www"), parseDesired(desired), await read(), rulesWith(EQUAL));
        expect(made.changes).toEqual([]);
        expect(made.holds.map(({ code }) => code)).toContain("Contested");
      }
    }
  },
);

test.each<[string, readonly (keyof Ownership)[]]>([
  ["txt", ["zoneMarkers", "permits", "migration"]],
  ["gardener", ["zoneMarkers"]],
  ["mesh", ["zoneMarkers"]],
  ["configmap", ["externalStore"]],
  ["noop", []],
])("%s has the feature groups %j, and the wrapper adds its two", async (format, groups) => {
  const plain = registryOf(format);
  expect(GROUPS.filter((group) => plain[group] !== undefined)).toEqual(groups);
  const wrapped = await open(format);
  const added = GROUPS.filter(
    (group) => groups.includes(group) || group === "zoneMarkers" || group === "otherFormats",
  );
  expect(GROUPS.filter((group) => wrapped[group] !== undefined)).toEqual(added);
});

test.each(FORMATS)(
  "%s: a text in the form of any marker is refused, another text is not",
  async (format) => {
    const among = await open(format);
    const marker = `heritage=external-dns,external-dns/owner=east`;
    const codes = [marker, "hello"].map((text) =>
      parseZone(`a-bank 300 TXT "${text}"`).map(
        (set) => among.zoneMarkers?.refuses(set)?.code ?? null,
      ),
    );
    expect(codes).toEqual([["LooksLikeMarker"], [null]]);
  },
);

describe("what the registry itself can say", () => {
  test.each(FORMATS)("%s is asked, and what it does not know is nothing", async (format) => {
    const [own, among] = [registryOf(format), await open(format)];
    const name = nameOf("a-www");
    const zone = new ZoneModel(parseZone(`${TXT("me")}\nwww 300 A 192.0.2.1`));
    expect(among.externalStore?.isStale).toBe(own.externalStore?.isStale);
    expect(among.zoneMarkers?.dependentNames(name)).toEqual(
      own.zoneMarkers?.dependentNames(name) ?? [],
    );
    const sets = zone.at(name);
    expect(among.permits?.namesOfPermits(sets)).toEqual(own.permits?.namesOfPermits(sets));
    for (const recordSet of parseZone("a-www 300 CNAME x.example\napi 300 A 192.0.2.1")) {
      expect(among.zoneMarkers?.blockerOf(recordSet, zone)).toEqual(
        own.zoneMarkers?.blockerOf(recordSet, zone) ?? null,
      );
      expect(among.zoneMarkers?.refuses(recordSet)).toBeNull();
    }
  });

  test("another format's marker in a text of data is a secondary marker, with its format's name", async () => {
    const among = await open("mesh");
    const [secondary, address] = parseZone(`${TXT("you", "a-www")}\nwww 300 A 192.0.2.1`);
    if (secondary === undefined || address === undefined) throw new Error("no zone");
    const found = among.otherFormats?.markersIn(secondary, [address]) ?? [];
    expect(found.map(({ type, marker }) => [type, marker.owner, marker.format])).toEqual([
      ["A", "you", "txt"],
    ]);
    // Another type has no markers, and a text that names no owner is no secondary marker.
    expect(among.otherFormats?.markersIn(address, [secondary])).toEqual([]);
    const [text] = parseZone('www 300 TXT "hello"');
    expect(text && among.otherFormats?.markersIn(text, [address])).toEqual([]);
  });

  test("another's half pair is nothing new where the registry knows whose record of that type it is", async () => {
    const pair = `www 300 A 192.0.2.1\n${TXT("me")}`;
    const half = (type: string) =>
      MESH("you").replace("types=A", `types=${type}`).replace("www", "_mesh.www");
    const among = await open("txt");
    for (const type of ["AAAA", "A"]) {
      const read = await among.read(parseZone(`${pair}\n${half(type)}`));
      const owners = read.map((one) => `${one.type} ${one.marker?.owner ?? "-"}`);
      expect(owners).toContain("A me");
      expect(owners.includes("AAAA you")).toBe(type === "AAAA");
    }
  });

  test("another's half pair that names no type is nothing new beside one of ours of a type that it could mean", async () => {
    const among = await open("mesh");
    const own = (type: string) => MESH("me").replace("types=A", `types=${type}`);
    for (const type of ["MX", "A"]) {
      const read = await among.read(parseZone(`${own(type)}\n${TXT("you", "www")}`));
      const owners = read.map((one) => `${one.type} ${one.marker?.owner ?? "-"}`);
      expect(owners).toContain(`${type} me`);
      expect(owners.includes("ANY you")).toBe(type === "MX");
    }
  });

  test("what it does not know is another's, type by type and name by name", async () => {
    const among = await open("mesh");
    const foreign = `${TXT("you", "aaaa-www")}\n${TXT("you", "a-api")}\n${TXT("me", "www")}`;
    const read = await among.read(parseZone(`${MESH("me", "_mesh.www")}\n${foreign}`));
    expect(read.map(({ name, type, marker }) => `${name} ${type} ${marker?.owner}`)).toEqual(
      expect.arrayContaining([
        "api.example.org A you",
        "www.example.org A me",
        "www.example.org AAAA you",
      ]),
    );
    const owned = read.filter(({ data }) => data === null);
    expect(owned).toHaveLength(3);
  });

  test("a text in the form of a marker is refused by the registry of texts itself, and another one is not", () => {
    const [marker, text] = parseZone(`${TXT("you")}\nwww 300 TXT "hello"`);
    if (marker === undefined || text === undefined) throw new Error("two texts are needed");
    const txt = registryOf("txt");
    expect([txt.zoneMarkers?.refuses(marker)?.code, txt.zoneMarkers?.refuses(text)]).toEqual([
      "LooksLikeMarker",
      null,
    ]);
  });
});

test("Z-30 a former id of a cluster is read as the present one; the labels stay as they are", async () => {
  const clusterAliases = new Map([["c1", "eu-1"]]);
  const registry = withOtherFormats(registryOf("mesh"), { apex, isOwnedByUs, clusterAliases });
  const [set] = await registry.read(
    parseZone(`www 300 A 192.0.2.1\n_owner-www 300 ${MESH("me").slice(8)}`),
  );
  expect(set?.marker).toMatchObject({ cluster: "eu-1", labels: { cluster: "c1" } });
});
