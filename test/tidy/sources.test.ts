/**
 * A source is one folder and one row: the texts made from the list are up to date, and a row for a
 * small source is all that options, program, ClusterRole and docs need.
 */
import { readFileSync } from "node:fs";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { CONFIG_MAP, NODE } from "@zonekeeper/kube/objects/kinds";
import { type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { rightRows } from "../../src/app/commands/run/right-rows.ts";
import { PLUG_INS, sourceChoices } from "../../src/app/plugins/rows.ts";
import { optionsOf } from "../../src/config/options-table.ts";
import { resolveOptions } from "../../src/config/resolve-options.ts";
import type { ResolvedOptions } from "../../src/config/resolved-options.ts";
import { toRunConfig } from "../../src/config/run-config.ts";
import { DNS_ENTRY, objectKeyOf } from "../../src/model/kinds.ts";
import { SOURCES } from "../../src/sources/index.ts";
import { keptFields } from "../../src/sources/kept-fields.ts";
import { desiredSets } from "../../src/sources/shared/found.ts";
import { NOTHING, type SourceRow } from "../../src/sources/source.ts";
import { filesBelow } from "../../tools/measure/source-files.ts";
import { ROLE_FILES, roleText } from "../../tools/rights-pages/roles.ts";
import { sourcesPage } from "../../tools/sources-pages/sources-page.ts";
import { objectOf, programWorld } from "../support/worlds/program-world.ts";

const HINT = "run: npm run generate";

test("the page is that of the list", () => {
  expect(readFileSync("docs/reference/sources.md", "utf8"), HINT).toBe(sourcesPage(SOURCES));
});

test("no file outside of its folder and the list imports a source", () => {
  const imports = /from "[^"]*sources\/(?:core|externaldns|gardener|gateway|istio|networking)\//;
  const found = filesBelow(".", "src").filter(
    ({ path, text }) => path !== "src/sources/index.ts" && imports.test(text),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});

test("no two sources publish one kind the same way", () => {
  const ways = SOURCES.flatMap(({ primary, publishes, publishesEither }) =>
    (publishesEither === true ? ["entries", "direct"] : [publishes]).map(
      (way) => `${kindText(primary)} ${way}`,
    ),
  );
  // Contributions and entries are known by object: a second source would take back the first one's.
  expect(ways).toEqual([...new Set(ways)]);
});

/** The whole new source: a ConfigMap's `host` gets its `address`, or that of the Node it names. */
const CONFIG_MAP_ROW: SourceRow = {
  name: "configmap-dns",
  primary: CONFIG_MAP,
  secondary: [NODE],
  isDefault: false,
  inDev: false,
  publishes: "entries",
  keptFields: ["data.host", "data.address"],
  doc: "the host of each ConfigMap",
  open: () => ({
    endpoints: (object, view) => {
      const { host, address } = fieldsOf(object["data"]);
      if (typeof host !== "string" || typeof address !== "string") return NOTHING;
      const provenance = objectKeyOf(object, view.clusterId);
      const node = view.get(NODE, "", address);
      const known = node.state === "value" ? fieldsOf(node.value.metadata.labels)["ip"] : address;
      const values = [{ type: "A", values: [String(known)] }];
      const items = desiredSets(trustedDnsName(host), values, {
        object,
        provenance,
        ttlSeconds: null,
      });
      return { ...NOTHING, items };
    },
  }),
};

const configMap = (): KubeObject =>
  objectOf("v1", "ConfigMap", "web", { data: { host: "new.example.org", address: "192.0.2.7" } });

describe("one more row", () => {
  const rows = [...SOURCES, CONFIG_MAP_ROW];
  const plugIns = { ...PLUG_INS, controllers: sourceChoices(rows) };
  const options = (controllers: string): ResolvedOptions => {
    const flags = { owner: "me", controllers };
    const given = { command: "run", flags, environment: {}, file: null, plugIns } as const;
    const resolved = resolveOptions(given);
    if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
    return resolved.value;
  };
  const chosen = (controllers: string): readonly string[] => {
    const run = toRunConfig(options(controllers));
    return run.ok ? [...run.value.controllers] : [];
  };

  test("--controllers takes its name, and its help says what it is", () => {
    const [option] = optionsOf("run", plugIns).filter(({ name }) => name === "controllers");
    expect(option?.choices).toContain("configmap-dns");
    expect(option?.doc).toContain(
      "configmap-dns = the host of each ConfigMap; not in all: write all,configmap-dns.",
    );
    expect(chosen("all")).toEqual(["compound", "service-dns", "ingress-dns"]);
    expect(chosen("all,configmap-dns")).toEqual([
      ...["compound", "service-dns", "ingress-dns", "configmap-dns"],
    ]);
  });

  test.each(["entries", "direct"] as const)(
    "it publishes %s, named by markers",
    async (publishes) => {
      const sources = [...SOURCES, { ...CONFIG_MAP_ROW, publishes }];
      const controllers = chosen("compound,configmap-dns");
      const { clock, cluster, start, values } = programWorld({ sources, controllers });
      cluster.apply(CONFIG_MAP, configMap());
      const running = start();
      await clock.advance(5000);
      expect(values("new.example.org")).toEqual(["192.0.2.7"]);
      expect(values("a-new.example.org").join("")).toContain("resource=configmap/default/web");
      expect(cluster.all(DNS_ENTRY)).toHaveLength(publishes === "entries" ? 1 : 0);
      const labels = { ip: "192.0.2.8" };
      cluster.apply(NODE, {
        apiVersion: "v1",
        kind: "Node",
        metadata: { name: "192.0.2.7", labels },
      });
      await clock.advance(5000);
      expect(values("new.example.org")).toEqual(["192.0.2.8"]);
      cluster.delete(CONFIG_MAP, "default", "web");
      await clock.advance(5000);
      expect(values("new.example.org")).toEqual([]);
      await running.stop();
    },
  );

  test.each([
    [{ publishes: "entries" }],
    [{ publishes: "direct", publishesEither: true }],
  ] as const)("a kind without a namespace has no DNSEntries: %o is refused at start", (how) => {
    const row = { ...CONFIG_MAP_ROW, primary: NODE, secondary: [], ...how };
    const world = programWorld({ sources: [...SOURCES, row], controllers: [row.name] });
    expect(() => world.start()).toThrow(
      'The source configmap-dns cannot publish through DNSEntries, because nodes have no namespace. Its row must say `publishes: "direct"`, without `publishesEither`',
    );
  });

  test("ClusterRole, docs and caches know its kinds", () => {
    const [role = ""] = ROLE_FILES.map((file) => roleText(file, rightRows(rows)));
    expect(role).toContain("source configmap-dns");
    expect(role).toContain("resources: [configmaps]\n    verbs: [get, list, watch]");
    expect(role).toContain("resources: [nodes]\n    verbs: [get, list, watch]");
    expect(sourcesPage(rows)).toContain("| `configmap-dns` | v1 ConfigMap, v1 Node |");
    const keep = keptFields(rows).get(kindText(CONFIG_MAP));
    const large = { ...configMap(), data: { host: "a.example.org", other: "x" } };
    expect(keep?.(large)["data"]).toEqual({ host: "a.example.org" });
  });
});
