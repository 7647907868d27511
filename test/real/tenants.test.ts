/**
 * Z-26 and Z-28 on a real server: two namespaces with a DNSProvider each for one zone of BIND. What
 * the second asks for at the names of the first, or of strangers, changes no answer; dig judges.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { runOk } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS } from "../support/real-servers/index.ts";
import {
  account,
  entry,
  provider,
  secret,
  serverKeys,
  together,
} from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const OTHER = ["mail 300 IN MX 10 mx.example.com.", 'app.corp 300 IN TXT "not ours"'];

/** The second one is not delegated by the first. */
const [WIDE, CHILD] = ["wide.example", "vic.wide.example"] as const;
/** DNSProviders and DNSEntries of another set of controllers. */
const OPEN = '"annotations":{"dns.gardener.cloud/class":"open"}';

const bind = REAL_SERVERS.find(({ name }) => name === "BIND");
if (bind !== undefined)
  describeReal("two namespaces in one zone", ["kubectl-1.32", "dig", bind.needs], () =>
    story(bind),
  );

/** The tests are one session in order. */
function story(kind: (typeof REAL_SERVERS)[number]): void {
  let session: RunSession;
  let zone: RealZone;
  beforeAll(async () => {
    const moreZones = [WIDE, CHILD];
    zone = new RealZone(await kind.start({ zone: "example.org", moreZones, records: OTHER }));
    session = await RunSession.open();
    await session.user.apply(
      readFileSync("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml", "utf8"),
    );
    await session.run("team-a", "--controllers", "all,crd");
    for (const namespace of ["ta", "tb"]) {
      const named = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
      await session.user.apply(JSON.stringify(named));
      await apply(namespace, account("org", zone.server));
    }
    for (const namespace of ["ta", "tb"]) await becomes(namespace, "dnspr", "org", "Ready");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  const zoneCalled = (name: string) => new RealZone({ ...zone.server, zone: name });
  const apply = (namespace: string, text: string) =>
    session.user.kubectl.ok(
      ["apply", "-f", "-"],
      text.replaceAll('"namespace":"default"', `"namespace":"${namespace}"`),
    );
  const statusOf = async (namespace: string, kindName: string, name: string) => {
    const seen = await session.user.kubectl.json(["get", kindName, name, "-n", namespace]);
    const { status = {} } = seen as { readonly status?: Readonly<Record<string, unknown>> };
    return `${status["state"] ?? ""} ${status["message"] ?? ""}`;
  };
  const becomes = (namespace: string, kindName: string, name: string, status: string) =>
    eventually(
      `${kindName} ${namespace}/${name} is ${status}`,
      () => statusOf(namespace, kindName, name),
      (seen) => seen.startsWith(status),
    );
  const entryOf = (name: string, spec: Readonly<Record<string, unknown>>): string =>
    JSON.stringify({
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSEntry",
      metadata: { name, namespace: "default" },
      spec: { dnsName: zone.name(name), ...spec },
    });
  const endpoint = (name: string, rows: readonly (readonly [string, string, string])[]): string =>
    JSON.stringify({
      apiVersion: "externaldns.k8s.io/v1alpha1",
      kind: "DNSEndpoint",
      metadata: { name, namespace: "default" },
      spec: {
        endpoints: rows.map(([label, recordType, target]) => ({
          dnsName: zone.name(label),
          recordType,
          targets: [target],
        })),
      },
    });
  const annotate = (namespace: string, annotation: string) =>
    session.user.kubectl.ok(["annotate", "dnspr", "org", "-n", namespace, annotation]);

  test("B2: no type of another namespace comes beside an address", async () => {
    await apply("ta", entryOf("six", { targets: ["192.0.2.11"] }));
    await becomes("ta", "dnse", "six", "Ready");
    await apply("tb", entryOf("six", { targets: ["2001:db8::666"] }));
    await becomes("tb", "dnse", "six", "Error dnsentry/ta/six has the name with A 192.0.2.11");
    await apply(
      "tb",
      endpoint("beside", [
        ["six", "MX", "10 mx.evil.test."],
        ["free", "A", "192.0.2.66"],
      ]),
    );
    await zone.becomes("free", "A", "192.0.2.66");
    expect(await zone.answers("six", "AAAA")).toEqual([]);
    expect(await zone.answers("six", "MX")).toEqual([]);
  });

  test("equal data serves both, and outlives the first", async () => {
    await apply("tb", entryOf("six", { targets: ["192.0.2.11"] }));
    await becomes("tb", "dnse", "six", "Ready also wanted by dnsentry/ta/six");
    await session.user.kubectl.ok(["delete", "dnse", "six", "-n", "ta", "--timeout=60s"]);
    await becomes("tb", "dnse", "six", "Ready dns entry active");
    await zone.becomes("six", "A", "192.0.2.11");
    expect((await zone.content()).join("\n")).toContain("dnsentry/tb/six");
    // What the same namespace asked for beside it is free now.
    await zone.becomes("six", "MX", "10 mx.evil.test.");
  });

  test("the address of a delegation's own server is answered as glue, in either order, and followed", async () => {
    const glue = async (label: string) => {
      const at = ["@127.0.0.1", "-p", String(zone.server.port), "+norecurse", "+noall"];
      const args = [...at, "+additional", zone.name(label), "NS"];
      const lines = (await runOk("dig", args)).split("\n");
      return lines.filter((line) => line.startsWith(`ns.${label}.`));
    };
    const rows = (label: string, address: string) =>
      [
        ["cut", [[label, "NS", `${zone.name(`ns.${label}`)}.`]]],
        ["glue", [[`ns.${label}`, "A", address]]],
      ] as const;
    for (const [label, order] of [
      ["down", [0, 1]],
      ["up", [1, 0]],
    ] as const) {
      for (const index of order) {
        const [what, wanted] = rows(label, "192.0.2.61")[index] ?? ["", []];
        await apply("ta", endpoint(`${what}-${label}`, wanted));
        await new Promise((wake) => setTimeout(wake, 2_000));
      }
      for (const address of ["192.0.2.61", "192.0.2.62"]) {
        await apply("ta", endpoint(`glue-${label}`, rows(label, address)[1][1]));
        await eventually(
          `the glue of ${label} is ${address}`,
          () => glue(label),
          (lines) => lines.length === 1 && lines[0]?.endsWith(address) === true,
        );
      }
      await apply("tb", endpoint(`evil-${label}`, [[`ns.${label}`, "AAAA", "2001:db8::66"]]));
      await new Promise((wake) => setTimeout(wake, 3_000));
      expect(await glue(label)).toHaveLength(1);
      for (const [what, namespace] of [
        ["evil", "tb"],
        ["cut", "ta"],
        ["glue", "ta"],
      ] as const)
        await session.user.kubectl.ok([
          ...["delete", "dnsendpoint", `${what}-${label}`],
          ...["-n", namespace],
        ]);
      await eventually(
        `nothing is left of ${label}`,
        () => zone.content(),
        (lines) => !lines.some((line) => line.includes(`${label}.example.org`)),
      );
    }
  });

  test("B1: a delegation takes no names of another namespace, nor of strangers", async () => {
    await apply("ta", entryOf("fill7", { targets: ["192.0.2.7"] }));
    await apply("ta", entryOf("www.a", { targets: ["192.0.2.8"] }));
    await becomes("ta", "dnse", "fill7", "Ready");
    await becomes("ta", "dnse", "www.a", "Ready");
    const cuts = ["corp", "mail", "fill7", "a", "own"].map(
      (label) => [label, "NS", "ns.evil.test."] as const,
    );
    await apply("tb", endpoint("evil", cuts));
    // The one that takes no name is written, so that the others were decided, too.
    await eventually(
      "own is delegated",
      () => zone.content(),
      (content) => content.some((line) => /^own\.example\.org\.? NS /.test(line)),
    );
    expect(await zone.answers("mail", "MX")).toEqual(["10 mx.example.com."]);
    expect(await zone.answers("fill7")).toEqual(["192.0.2.7"]);
    expect(await zone.answers("www.a")).toEqual(["192.0.2.8"]);
    expect(await zone.answers("app.corp", "TXT")).toEqual(['"not ours"']);
    const lines = (await zone.content()).filter((line) => line.includes("ns.evil.test"));
    expect(lines).toHaveLength(1);
    await becomes("ta", "dnse", "fill7", "Ready");
  });

  test("every DNSProvider of the zone may allow it", async () => {
    const annotation = `zonekeeper.dev/allow-delegation=${zone.name("corp")}`;
    await annotate("tb", annotation);
    await annotate("ta", annotation);
    await eventually(
      "corp is delegated",
      () => zone.content(),
      (content) => content.some((line) => /^corp\.example\.org\.? NS /.test(line)),
    );
  });

  test("Z-18 R5: where DNSProviders serve all namespaces, a child zone of another one that is not delegated takes no new name", async () => {
    const classes = ["--dns-class", "open", "--source-dns-class", "open", "--lease-name", "open"];
    await session.run("team-b", "--disable-namespace-restriction", ...classes);
    const open = (namespace: string, text: string) =>
      apply(namespace, text.replaceAll('"namespace":', `${OPEN},"namespace":`));
    const [wide, child] = [zoneCalled(WIDE), zoneCalled(CHILD)];
    const published = async (label: string) => {
      await open("ta", entry(label, child.name(label), { targets: ["192.0.2.1"] }));
      await becomes("ta", "dnse", label, "Ready");
    };
    await open("ta", account("wide", wide.server));
    await published("before");
    const domains = { include: [CHILD] };
    const keys = secret("vic", serverKeys(child.server));
    await open("tb", together(keys, provider("vic", { domains })));
    await becomes("tb", "dnspr", "vic", "Ready");
    await published("after");
    const addresses = async (one: RealZone) =>
      (await one.content()).filter((line) => line.endsWith(" A 192.0.2.1"));
    expect([await addresses(wide), await addresses(child)]).toEqual([
      ["after.vic.wide.example. A 192.0.2.1", "before.vic.wide.example. A 192.0.2.1"],
      [],
    ]);
  });
}
