/**
 * `zonekeeper run` and CustomResourceDefinitions, on the embedded API and a real kube-apiserver:
 * what is missing is installed, an older one of ours is brought up to date, one of Gardener's is
 * left until a person says otherwise, and without the right the program works where the kinds are
 * served.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { grantShippedRole } from "../support/api-servers/shipped-role.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const [ANNOTATIONS, ENTRIES, OWNERS, PROVIDERS] = ["annotation", "entrie", "owner", "provider"].map(
  (one) => `dns${one}s.dns.gardener.cloud`,
) as [string, string, string, string];
const ENDPOINTS = "dnsendpoints.externaldns.k8s.io";
const MAINTAINER = "crds.gardener.cloud/maintainer";
const VERSION = "zonekeeper.dev/definition-version";

interface Definition {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly versions: readonly { readonly additionalPrinterColumns?: readonly unknown[] }[];
  };
}

/** A file of deploy/crds with other annotations and without its columns. */
function definition(plural: string, annotations: Readonly<Record<string, string>>): string {
  const text = readFileSync(`deploy/crds/dns.gardener.cloud_${plural}.yaml`, "utf8");
  const { metadata, spec, ...rest } = parse(text);
  const versions = spec.versions.map((one: object) => ({ ...one, additionalPrinterColumns: [] }));
  return JSON.stringify({
    ...{ ...rest, metadata: { name: metadata.name, annotations } },
    spec: { ...spec, versions },
  });
}

const SERVERS: readonly (readonly [
  string,
  () => Promise<ApiServer>,
  readonly "kube-apiserver"[],
])[] = [
  ["the embedded API", startControlPlane, []],
  ["kube-apiserver", startKubeApiServer, ["kube-apiserver"]],
];

for (const [name, start, needs] of SERVERS)
  describeReal(`definitions on ${name}`, ["kubectl-1.32", "bind", ...needs], () => {
    let session: RunSession;
    let zone: RealZone;
    let instance: RunInstance;
    const read = async (one: string): Promise<Definition | null> => {
      const { code, stdout } = await session.user.kubectl.run(["get", "crd", one, "-o", "json"]);
      return code === 0 ? JSON.parse(stdout) : null;
    };
    const marked = async (one: string): Promise<Definition["metadata"]["annotations"]> =>
      (await read(one))?.metadata.annotations;
    const check = (...args: readonly string[]) =>
      run(process.execPath, [
        PROGRAM,
        "check",
        "--owner",
        "group-one",
        "--kubeconfig",
        session.kubeconfig,
        ...args,
      ]);

    beforeAll(async () => {
      zone = new RealZone(await startBind({ zone: "example.net" }));
      session = await RunSession.open(start);
      const { kubectl } = session.user;
      const all = [ANNOTATIONS, ENTRIES, OWNERS, PROVIDERS, ENDPOINTS];
      await kubectl.ok(["delete", "crd", "--ignore-not-found", ...all]);
      const gardeners = { [MAINTAINER]: "dns-controller-manager" };
      await session.user.apply(definition("dnsproviders", gardeners));
      const older = { [MAINTAINER]: "zonekeeper", [VERSION]: "0", team: "a" };
      await session.user.apply(definition("dnsannotations", older));
      await kubectl.ok(["wait", "--for=condition=Established", "crd", PROVIDERS, ANNOTATIONS]);
    });
    afterAll(async () => {
      await instance?.remove();
      await session?.close();
      await zone?.server.stop();
    });

    test("check says what run would do, and that nothing of it is to mend", async () => {
      const { stdout } = await check();
      expect(stdout).toContain(`definition ${ENTRIES}: is missing in the source cluster; run`);
      expect(stdout).toMatch(/dnsannotations\S+: is maintained by zonekeeper; run replaces it/);
      expect(stdout).toMatch(/dnsproviders\S+: is maintained by dns-controller-manager .* leaves/);
      expect(stdout).not.toMatch(/^\[[^+]] (definition |dns\w+\.)/m);
    });

    test("a dry run writes none, and one that is told to leave a cluster none either", async () => {
      const kubeconfig = session.kubeconfig;
      for (const flag of ["--dry-run", "--target.disable-deploy-crds"]) {
        const quiet = await RunInstance.launch({ kubeconfig, owner: "group-one", args: [flag] });
        await eventually(
          "the definition is missed",
          async () => quiet.output(),
          (text) => text.includes(`no definition of ${ENTRIES}`),
        );
        await quiet.remove();
        expect(await read(ENTRIES)).toBeNull();
      }
    });

    test("what is missing is installed, what is older is brought up to date, Gardener's is left", async () => {
      const before = await read(PROVIDERS);
      const { kubeconfig, user } = session;
      const args = ["--controllers", "all,crd"];
      instance = await RunInstance.launch({ kubeconfig, owner: "group-one", args });
      for (const one of [ENTRIES, OWNERS, ENDPOINTS])
        await eventually(
          one,
          () => marked(one),
          (marks) => marks?.[VERSION] === "1",
        );
      await eventually(
        "the older one is up to date",
        () => read(ANNOTATIONS),
        (found) => (found?.spec.versions[0]?.additionalPrinterColumns ?? []).length > 0,
      );
      expect(await marked(ANNOTATIONS)).toMatchObject({ [VERSION]: "1", team: "a" });
      await user.apply(account("net", zone.server));
      await eventually(
        "DNSEntries are served",
        () => user.kubectl.run(["get", "dnse"]),
        ({ code }) => code === 0,
      );
      await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
      await zone.becomes("www", "A", "192.0.2.1");
      expect((await read(PROVIDERS))?.metadata).toEqual(before?.metadata);
      expect(instance.output()).toMatch(
        /dnsproviders.*--accepted-maintainers dns-controller-manager.*definition of others is left/,
      );
    });

    test("a restart writes none, and a later one of ours stays", async () => {
      await session.user.kubectl.ok([
        ...["annotate", "--overwrite", "crd", ENTRIES],
        `${VERSION}=99`,
      ]);
      const all = [ANNOTATIONS, ENTRIES, OWNERS, ENDPOINTS];
      const before = await Promise.all(all.map(read));
      await instance.restart();
      await instance.hasNothingToDo();
      expect(await Promise.all(all.map(read))).toEqual(before);
    });

    test("an accepted maintainer's becomes ours, and its objects stay", async () => {
      await instance.restart("--accepted-maintainers", "dns-controller-manager");
      await eventually(
        "it is ours",
        () => marked(PROVIDERS),
        (marks) => marks?.[MAINTAINER] === "zonekeeper",
      );
      await session.user.becomes("dnspr", "net", "Ready");
      expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
    });

    test("one that says nothing of its maintainer is left, and taken by force only", async () => {
      const { kubectl } = session.user;
      await kubectl.ok(["annotate", "crd", OWNERS, `${MAINTAINER}-`, `${VERSION}-`]);
      await instance.restart();
      expect((await check()).stdout).toMatch(/dnsowners\S+: .* nobody .* --force-crd-update/);
      expect((await marked(OWNERS)) ?? {}).not.toHaveProperty(VERSION);
      await instance.restart("--force-crd-update");
      await eventually(
        "it is ours",
        () => marked(OWNERS),
        (marks) => marks?.[VERSION] === "1",
      );
    });
  });

const NO_DEFINITIONS = /give the right \(deploy\/rbac\/\).*definition is not looked after/;

describeReal(
  "definitions without the right to them",
  ["kubectl-1.32", "bind", "kube-apiserver"],
  () => {
    let session: RunSession;
    let server: ApiServer;
    let zone: RealZone;
    let instance: RunInstance;
    beforeAll(async () => {
      zone = new RealZone(await startBind({ zone: "example.net" }));
      session = await RunSession.open(async () => {
        server = await startKubeApiServer();
        return server;
      });
    });
    afterAll(async () => {
      await instance?.remove();
      await session?.close();
      await zone?.server.stop();
    });

    test("what is served is enough, and it is said", async () => {
      const role = parse(readFileSync("deploy/rbac/clusterrole.yaml", "utf8"));
      const rules = role.rules.filter(
        ({ resources }: { readonly resources: readonly string[] }) =>
          !resources.includes("customresourcedefinitions"),
      );
      expect(rules.length).toBe(role.rules.length - 2);
      const { user } = session;
      await grantShippedRole(user);
      await user.apply(JSON.stringify({ ...role, rules }));
      const kubeconfig = server.kubeconfigOf("controller");
      instance = await RunInstance.start({ kubeconfig, owner: "group-one" });
      await user.apply(account("net", zone.server));
      await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
      await zone.becomes("www", "A", "192.0.2.1");
      expect(instance.output()).toMatch(NO_DEFINITIONS);
    });

    test("with the shipped role it installs what is missing", async () => {
      const { user } = session;
      await user.apply(readFileSync("deploy/rbac/clusterrole.yaml", "utf8"));
      await instance.stop();
      await user.kubectl.ok(["delete", "crd", OWNERS]);
      await instance.begin();
      await eventually(
        "it is there",
        () => user.kubectl.run(["get", "crd", OWNERS]),
        ({ code }) => code === 0,
      );
    });
  },
);
