/**
 * The suite that every registry passes: one zone, one format, the same stories. DNS cases are zone
 * text.
 */
import { describe, expect, test } from "vitest";
import type { Ownership } from "../../src/ownership/ownership.ts";
import type { Hold } from "../../src/plan/changes.ts";
import { rulesWith } from "../support/values/plan-rules.ts";
import { parseDesired, parseZone, showZone } from "../support/values/zone-text.ts";
import { type CallTrouble, Crash, Outside, runRegistry } from "../support/worlds/registry-run.ts";
import { ZoneModel } from "../support/worlds/zone-model.ts";

/** A registry under test. `open` gives a new process on the same zone and the same outside. */
export interface RegistryUnderTest {
  readonly name: string;
  /** Where ownership is kept outside of the zone, once for each story. */
  stage(): (owner: string, outside: Outside) => Ownership;
  /** True when two owners in one zone can be told apart. */
  readonly tellsOwners: boolean;
  /** True when a label of 63 bytes can be published. */
  readonly takesLongLabels: boolean;
  /** True for a record set of the zone that is a marker of this format. */
  isMarker(line: string): boolean;
  /**
   * True when our claim to a record outlasts what strangers make of its data (drift is repaired).
   */
  readonly repairsDrift: boolean;
}

class Story {
  readonly zone: ZoneModel;
  readonly #registry: RegistryUnderTest;
  readonly #open: ReturnType<RegistryUnderTest["stage"]>;

  constructor(registry: RegistryUnderTest, text = "") {
    this.zone = new ZoneModel(parseZone(text));
    this.#registry = registry;
    this.#open = registry.stage();
  }

  /** A process of `owner` from start to end, and what it holds. */
  async wants(text: string, owner = "me", outside = new Outside()): Promise<readonly Hold[]> {
    const ownership = this.#open(owner, outside);
    const rules = rulesWith({ owners: new Set([owner]), mainOwner: owner });
    return runRegistry({ zone: this.zone, ownership, desired: parseDesired(text), rules, outside });
  }

  /** The zone without markers. */
  get data(): string {
    const lines = showZone(this.zone.all()).split("\n");
    return lines.filter((line) => !this.#registry.isMarker(line)).join("\n");
  }

  get markers(): readonly string[] {
    return showZone(this.zone.all())
      .split("\n")
      .filter((line) => line !== "" && this.#registry.isMarker(line));
  }

  /** Whose every data record set is, for a process that starts now. */
  async owners(owner = "me"): Promise<Readonly<Record<string, string | null>>> {
    const ownership = this.#open(owner, new Outside());
    await ownership.externalStore?.refresh();
    const all = await ownership.read(this.zone.all());
    return Object.fromEntries(
      all
        .filter(({ data }) => data !== null)
        .map(({ name, type, marker }) => [`${name} ${type}`, marker?.owner ?? null]),
    );
  }
}

const NAMES = ["www", "*.apps", "*", "@", "a.b.c", "a-www", "cname-x"];
const DATA = ["A 192.0.2.1", "AAAA 2001:db8::1", "CNAME lb.example.com", 'TXT "hello"'];
const LONG = "x".repeat(63);

/** Defines the tests of one registry. */
export function describeRegistry(registry: RegistryUnderTest): void {
  describe(`registry ${registry.name}`, () => {
    lifeOfARecord(registry);
    foreignRecords(registry);
    trouble(registry);
  });
}

function lifeOfARecord(registry: RegistryUnderTest): void {
  test.each(NAMES)(
    "%s: what is written is read back as ours, and goes without a trace",
    async (name) => {
      for (const data of DATA) {
        const story = new Story(registry);
        expect(await story.wants(`${name} 300 ${data}`)).toEqual([]);
        expect(story.data, data).toBe(`${name} 300 ${data}`);
        expect(Object.values(await story.owners())).toEqual(["me"]);
        expect(await story.wants("")).toEqual([]);
        expect(showZone(story.zone.all()), data).toBe("");
      }
    },
  );

  test.each(DATA)("from %s to every other type and value", async (from) => {
    for (const to of [...DATA, "A 192.0.2.2", "CNAME other.example.com", 'TXT "other"']) {
      const story = new Story(registry);
      await story.wants(`www 300 ${from}`);
      expect(await story.wants(`www 300 ${to}`), to).toEqual([]);
      expect(story.data).toBe(`www 300 ${to}`);
      expect(Object.values(await story.owners())).toEqual(["me"]);
      await story.wants("");
      expect(showZone(story.zone.all())).toBe("");
    }
  });

  test("both families, of two objects, one after the other", async () => {
    const story = new Story(registry);
    const first = "www 300 A 192.0.2.1 ; from=service/default/a";
    const second = "www 300 AAAA 2001:db8::1 ; from=service/default/b";
    await story.wants(first);
    expect(await story.wants(`${first}\n${second}`)).toEqual([]);
    expect(story.data).toBe("www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1");
    expect(Object.values(await story.owners())).toEqual(["me", "me"]);
    expect(await story.wants(second)).toEqual([]);
    expect(story.data).toBe("www 300 AAAA 2001:db8::1");
    await story.wants("");
    expect(showZone(story.zone.all())).toBe("");
  });

  test("set identifiers of one routing policy", async () => {
    const story = new Story(registry);
    const east = "www 300 A 192.0.2.1 ; id=east policy=weighted";
    const west = "www 300 A 192.0.2.2 ; id=west policy=weighted";
    expect(await story.wants(`${east}\n${west}`)).toEqual([]);
    expect(story.data).toBe("www 300 A 192.0.2.1\nwww 300 A 192.0.2.2");
    expect(await story.wants(west)).toEqual([]);
    expect(story.data).toBe("www 300 A 192.0.2.2");
    await story.wants("");
    expect(showZone(story.zone.all())).toBe("");
  });

  test("a label of 63 bytes is published, or held with a reason: never without a marker", async () => {
    const story = new Story(registry);
    const holds = await story.wants(`${LONG} 300 A 192.0.2.1`);
    if (registry.takesLongLabels) expect(story.data).toBe(`${LONG} 300 A 192.0.2.1`);
    else expect([story.data, holds.map(({ code }) => code)]).toEqual(["", ["NoMarkerPossible"]]);
  });
}

const FOREIGN = [
  "www 300 A 198.51.100.1",
  "www 300 AAAA 2001:db8::99",
  "www 300 CNAME away.example.com",
  'www 300 TXT "v=spf1 -all"',
  "www 300 MX 10 mx.example.com",
];

function foreignRecords(registry: RegistryUnderTest): void {
  test.each(registry.tellsOwners ? FOREIGN : [])("foreign %s is never touched", async (line) => {
    for (const desired of ["", ...DATA.map((data) => `www 300 ${data}`)]) {
      const story = new Story(registry, line);
      await story.wants(desired);
      expect(story.data.split("\n"), desired).toContain(line);
      await story.wants("");
      expect(showZone(story.zone.all()), desired).toBe(line);
    }
  });

  test.each(registry.tellsOwners ? DATA : [])("another owner's %s stays his", async (data) => {
    const story = new Story(registry);
    await story.wants(`www 300 ${data}`, "you");
    const before = showZone(story.zone.all());
    for (const desired of DATA) {
      const holds = await story.wants(`www 300 ${desired}`);
      if (desired.startsWith(data.split(" ")[0] ?? "")) expect(holds.length).toBeGreaterThan(0);
      expect(story.data.split("\n"), desired).toContain(`www 300 ${data}`);
      await story.wants("");
      expect(showZone(story.zone.all()), desired).toBe(before);
    }
    await story.wants("", "you");
    expect(showZone(story.zone.all())).toBe("");
  });

  test("a record that a stranger removed is made again, and goes when it is not wanted", async () => {
    const story = new Story(registry);
    await story.wants("www 300 A 192.0.2.1\nftp 300 A 192.0.2.2");
    for (const name of ["www", "ftp"])
      for (const set of parseZone(`${name} 300 A 192.0.2.1\n${name} 300 A 192.0.2.2`))
        story.zone.write({ op: "remove", previous: set });
    expect(story.data).toBe("");
    expect(await story.wants("www 300 A 192.0.2.1")).toEqual([]);
    expect(story.data).toBe("www 300 A 192.0.2.1");
    await story.wants("");
    expect(showZone(story.zone.all())).toBe("");
  });

  test("a stranger's value in our record is repaired, or contested and left", async () => {
    const story = new Story(registry);
    await story.wants("www 300 A 192.0.2.1");
    for (const previous of parseZone("www 300 A 192.0.2.1"))
      for (const next of parseZone("www 300 A 198.51.100.1"))
        story.zone.write({ op: "replace", previous, next });
    const holds = await story.wants("www 300 A 192.0.2.1");
    if (registry.repairsDrift) expect(story.data).toBe("www 300 A 192.0.2.1");
    else {
      expect(holds.map(({ code }) => code)).toEqual(["Contested"]);
      expect(story.data).toBe("www 300 A 198.51.100.1");
    }
  });
}

const KINDS = ["crash-before", "crash-after", "lost-before", "lost-after"] as const;
const CHANGES = [
  ["", "www 300 A 192.0.2.1"],
  ["www 300 A 192.0.2.1", "www 300 A 192.0.2.2"],
  ["www 300 A 192.0.2.1", "www 300 CNAME lb.example.com"],
  ["www 300 CNAME lb.example.com", 'www 300 TXT "hello"'],
  ["www 300 A 192.0.2.1", ""],
] as const;

function trouble(registry: RegistryUnderTest): void {
  test.each(CHANGES)(
    "from '%s' to '%s' with a crash or a lost answer at any call",
    async (from, to) => {
      const play = async (at: number, kind: CallTrouble["kind"]) => {
        const story = new Story(registry);
        await story.wants(from);
        const outside = new Outside(at, kind === "meanwhile" ? null : { kind });
        await story.wants(to, "me", outside).catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        });
        expect(Object.values(await story.owners()).every((owner) => owner === "me")).toBe(true);
        await story.wants(to);
        expect(story.data, `${kind} at ${at}`).toBe(to);
        return outside.calls;
      };
      const calls = await play(-1, "crash-before");
      for (let at = 0; at < calls; at++) for (const kind of KINDS) await play(at, kind);
    },
  );
}
