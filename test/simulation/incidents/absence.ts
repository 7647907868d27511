/** Incidents of one shape: missing input was read as the wish to delete. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { Violation } from "../checks/checks.ts";
import { UNMARKED } from "../mutants/absence-clauses.ts";
import type { Incident } from "./incident.ts";
import { SOON_MS, Stage } from "./stage.ts";

const WWW = ["www.example.org", "A"] as const;
const ONE = "192.0.2.1";

const ANNOTATIONS: Incident = {
  name: "annotations-2026",
  ids: ["D01", "P16"],
  title:
    "external-dns 0.22: a new default made all annotations invisible, and everything was deleted",
  tell: async () => {
    const stage = new Stage({ fuseMin: 10 });
    const names = Array.from({ length: 12 }, (_, index) => `n${index}.example.org`);
    for (const [index, name] of names.entries()) stage.service(`s${index}`, [name], ONE);
    await stage.pass();
    for (const index of names.keys()) stage.annotate(`s${index}`, []);
    for (const { resource } of stage.instance.truth.objects())
      stage.instance.truth.unpredictable(resource);
    await stage.pass();
    const left = names.filter((name) => stage.shown(name, "A").length > 0).length;
    // Z-16: the weak proof lets 1 % go, or three.
    if (left < names.length - 3)
      throw new Violation(`S5: ${left} of ${names.length} names are left`);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D01 the fuse",
      clause: "fuse-trips",
      to: "return new Set<string>(); $&",
    },
  ],
};

const STATUS: Incident = {
  name: "empty-status-2017",
  ids: ["D02"],
  title:
    "ingress-nginx stops and empties the status of its objects: records deleted and made again",
  tell: async () => {
    const stage = new Stage();
    stage.service("s0", [WWW[0]], ONE);
    await stage.pass();
    stage.status("s0", { loadBalancer: {} });
    await stage.pass();
    stage.expectShown("S4", WWW, [ONE]);
    stage.status("s0", { loadBalancer: { ingress: [{ ip: "192.0.2.2" }] } });
    await stage.pass();
    stage.expectShown("L1", WWW, ["192.0.2.2"]);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D02 an object without targets keeps its names",
      clause: "no-targets-keep-names",
    },
  ],
};

const TIMEOUT: Incident = {
  name: "api-timeout-2022",
  ids: ["D03"],
  title: "look-ups of a source failed, its objects counted as none, all records were deleted",
  tell: async () => {
    const stage = new Stage();
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    stage.service("s0", [WWW[0]], "192.0.2.2");
    stage.instance.kill();
    stage.instance.start({ slow: { kind: SERVICE, forMs: SOON_MS } });
    await stage.pass(10_000);
    stage.removeEntry("e0");
    await stage.pass(SOON_MS / 2);
    // Services are not read yet: one of them may want the name.
    stage.expectShown("S3", WWW, [ONE]);
    await stage.pass(2 * SOON_MS);
    stage.expectShown("L1", WWW, ["192.0.2.2"]);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D03 unread kinds gate",
      clause: "incomplete-kind-gates",
      to: "continue;",
    },
  ],
};

const FROZEN: Incident = {
  name: "frozen-view",
  ids: ["D46"],
  title: "LIST was allowed and WATCH was not: the view stood still and looked healthy",
  tell: async () => {
    const stage = new Stage();
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    stage.instance.interrupt(SERVICE, "stale", SOON_MS);
    stage.removeEntry("e0");
    await stage.pass(SOON_MS / 2);
    stage.expectShown("S3", WWW, [ONE]);
    await stage.pass(2 * SOON_MS);
    stage.expectShown("L4", WWW, []);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "D46 stale kinds gate",
      clause: "incomplete-kind-gates",
      to: "continue;",
    },
  ],
};

const METADPATA: Incident = {
  name: "metadpata-2022",
  ids: ["P02"],
  title:
    "Zalando: a typo made the list of accounts empty, and empty was read as all decommissioned",
  tell: async () => {
    const stage = new Stage();
    stage.entry("e0", { dnsName: WWW[0], targets: [ONE] });
    await stage.pass();
    stage.world.account("sim").begin("zone-lost", 4 * SOON_MS);
    await stage.pass(4 * SOON_MS);
    stage.instance.kill();
    stage.world.account("sim").begin("zone-lost", SOON_MS);
    stage.instance.start();
    await stage.pass(4 * SOON_MS);
    stage.expectShown("S3", WWW, [ONE]);
    stage.servedZones(["exmaple.org"]);
    await stage.pass(4 * SOON_MS);
    stage.expectShown("S3", WWW, [ONE]);
    stage.servedZones(["example.org"]);
    stage.entry("e0", { dnsName: WWW[0], targets: ["192.0.2.2"] });
    await stage.pass();
    stage.expectShown("L1", WWW, ["192.0.2.2"]);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "P02 an entry without a provider keeps what stands",
      clause: "unserved-entry-keeps-records",
      to: 'return shown(context, { state: "Error", message: "" }, { send: zonesOf(context).map((zone) => ({ key: zone.key, zone: zone.zone, contribution: contributionOf(context, { items: [], waiting: [], problems: [], complete: true }) })) });',
    },
  ],
};

const INVENTORY: Incident = {
  name: "github-pages-2026",
  ids: ["P03"],
  title: "an inventory left out a record now and then, and the omission was taken for a deletion",
  tell: async () => {
    const stage = new Stage();
    stage.service("s0", [WWW[0]], ONE);
    await stage.pass();
    stage.instance.kill();
    // The entry that was made from the Service is lost with its finalizer while nobody looks:
    // nobody lists the name.
    for (const entry of stage.instance.cluster.all(DNS_ENTRY)) {
      const metadata = { ...entry.metadata, finalizers: [] };
      stage.instance.cluster.apply(DNS_ENTRY, { ...entry, metadata });
      stage.instance.cluster.delete(DNS_ENTRY, "default", entry.metadata.name);
    }
    stage.instance.loseKind(SERVICE, SOON_MS);
    stage.instance.start();
    await stage.pass(SOON_MS / 2);
    stage.expectShown("S3", WWW, [ONE]);
    await stage.pass(2 * SOON_MS);
    stage.expectShown("L1", WWW, [ONE]);
    return stage.world.diary;
  },
  mutants: [
    {
      drops: "P03 a kind that discovery lacks is not empty",
      clause: "undiscovered-kind-is-not-empty",
      // Whoever takes that for empty asks no server either.
      to: 'if (state === "absent") { Object.assign(watched, { reader: { read: async () => null } }); return { ...inCluster(watched), state }; } $&',
      also: [UNMARKED],
    },
  ],
};

/** Empty is not intent. */
export const ABSENCE: readonly Incident[] = [
  ANNOTATIONS,
  STATUS,
  TIMEOUT,
  FROZEN,
  METADPATA,
  INVENTORY,
];
