/**
 * Both API servers driven by real kubectls: Debian's 1.20 and 1.32 always (script/fetch-kubectl).
 * Others only, and only at the embedded one, if ZONEKEEPER_KUBECTL_DIR names a folder with programs
 * called `kubectl.1.27`: nothing that happens to be on a machine is used unasked. What a person
 * sees must not tell which server answers.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { testWhere } from "../conformance/test-where.ts";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { API_SERVERS } from "../support/api-servers/index.ts";
import { judgeVersion } from "../support/api-servers/judge-version.ts";
import {
  type ControlPlaneServer,
  startControlPlane,
} from "../support/clients/control-plane-server.ts";
import { KUBECTL_VERSIONS, Kubectl, kubectlPath } from "../support/clients/kubectl.ts";
import { PATIENCE_MS } from "../support/ports/eventually.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const OTHERS = process.env["ZONEKEEPER_KUBECTL_DIR"] ?? "";

const SECRET = `
apiVersion: v1
kind: Secret
metadata: {name: creds}
stringData: {KEY: hello}
`;
const PROVIDER = `
apiVersion: dns.gardener.cloud/v1alpha1
kind: DNSProvider
metadata: {name: primary}
spec: {type: rfc2136, secretRef: {name: creds}, domains: {include: [example.org]}}
`;
const entry = (ttl: number | string, more = ""): string => `
apiVersion: dns.gardener.cloud/v1alpha1
kind: DNSEntry
metadata: {name: www}
spec: {dnsName: www.example.org, ttl: ${ttl}, targets: [192.0.2.1]${more}}
`;
const SERVICE = `
apiVersion: v1
kind: Service
metadata: {name: echo, annotations: {dns.gardener.cloud/dnsnames: echo.example.org}}
spec: {type: LoadBalancer, ports: [{name: http, port: 80, targetPort: 8080}]}
`;
const INGRESS = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec:
  rules:
  - host: web.example.org
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: echo, port: {number: 80}}}}]}
`;
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const ALL = [SECRET, PROVIDER, entry(600), SERVICE, INGRESS].join("\n---\n");

for (const version of KUBECTL_VERSIONS)
  for (const { name, needs, start } of API_SERVERS)
    describeReal(`${name} by kubectl ${version}`, [`kubectl-${version}`, ...needs], () => {
      suite({ version, program: kubectlPath(version), isOwnedByUs: name === "embedded", start });
    });
for (const [version, program] of othersIn(OTHERS))
  describe(`control plane by kubectl ${version} of ZONEKEEPER_KUBECTL_DIR`, () => {
    suite({ version, program, isOwnedByUs: true, start: startControlPlane });
  });

/**
 * Versions and paths in the folder that was named; a folder without any is a mistake and not a
 * skip.
 */
function othersIn(folder: string): readonly (readonly [string, string])[] {
  if (folder === "") return [];
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const found = files.flatMap((file) => {
    const version = /^kubectl\.(\d+\.\d+)$/.exec(file)?.[1];
    return version === undefined ? [] : [[version, join(folder, file)] as const];
  });
  if (found.length === 0) throw new Error(`ZONEKEEPER_KUBECTL_DIR: no kubectl.N.M in ${folder}`);
  return found;
}

/** One kubectl at one server. */
interface Pair {
  readonly version: string;
  readonly program: string;
  /** False = kube-apiserver, alone: no controller empties namespaces, and 1.20 knows less. */
  readonly isOwnedByUs: boolean;
  start(): Promise<ApiServer>;
}

function suite({ version, program, isOwnedByUs, start }: Pair): void {
  let server: ApiServer;
  let kubectl: Kubectl;
  const isOld = version === "1.20";
  beforeAll(async () => {
    server = await start();
    kubectl = new Kubectl(version, server.kubeconfig, program);
  });
  afterAll(async () => {
    await kubectl?.close();
    await server?.close();
  });
  const refused = async (input: string): Promise<string> => {
    const result = await kubectl.run(["apply", "-f", "-"], input);
    expect(result.code).not.toBe(0);
    return result.stderr;
  };

  test("apply creates, and a second time changes only what differs", async () => {
    const created = await kubectl.ok(["apply", "-f", "-"], ALL);
    expect(created.match(/ created/g)).toHaveLength(5);
    const again = await kubectl.ok(
      ["apply", "-f", "-"],
      [entry(601), SERVICE, INGRESS].join("\n---\n"),
    );
    expect(again).toContain("dnsentry.dns.gardener.cloud/www configured");
    expect(again).toContain("service/echo unchanged");
    expect(again).toContain("ingress.networking.k8s.io/web unchanged");
    expect(await kubectl.ok(["get", "dnse", "www", "-o", "jsonpath={.spec.ttl}"])).toBe("601");
  });

  test("get shows the columns that users know, wide more of them", async () => {
    const providers = await kubectl.ok(["get", "dnspr"]);
    expect(providers).toMatch(/^NAME +TYPE +STATUS +AGE\nprimary +rfc2136 +\d+s\n$/);
    const entries = await kubectl.ok(["get", "dnse"]);
    expect(entries).toMatch(
      /^NAME +DNS +TYPE +PROVIDER +STATUS +AGE\nwww +www\.example\.org +\d+s\n$/,
    );
    expect(await kubectl.ok(["get", "dnse", "-o", "wide"])).toMatch(/TARGETS +TTL +ZONE .*MESSAGE/);
    expect(await kubectl.ok(["get", "svc"])).toMatch(
      /echo +LoadBalancer +10\.\S+ +<pending> +80(:\d+)?\/TCP/,
    );
    expect(await kubectl.ok(["get", "ing"])).toMatch(/web +<none> +web\.example\.org +80 /);
    expect(await kubectl.ok(["get", "secret"])).toMatch(/creds +Opaque +1 +\d+s/);
    expect(await kubectl.ok(["get", "ns", "--sort-by=.metadata.name"])).toMatch(/default +Active/);
    expect(await kubectl.ok(["get", "dnse", "www", "-o", "yaml"])).toContain(
      "dnsName: www.example.org",
    );
    expect(await kubectl.ok(["get", "dnse", "-A", "-o", "name"])).toBe(
      "dnsentry.dns.gardener.cloud/www\n",
    );
  });

  test("patch, label, annotate, replace", async () => {
    const ttl = async (): Promise<string> =>
      kubectl.ok(["get", "dnse", "www", "-o", "jsonpath={.spec.ttl}"]);
    await kubectl.ok(["patch", "dnse", "www", "--type=merge", "-p", '{"spec":{"ttl":701}}']);
    expect(await ttl()).toBe("701");
    const operations =
      '[{"op":"test","path":"/spec/ttl","value":701},{"op":"replace","path":"/spec/ttl","value":702}]';
    await kubectl.ok(["patch", "dnse", "www", "--type=json", "-p", operations]);
    expect(await ttl()).toBe("702");
    expect(
      (await kubectl.run(["patch", "dnse", "www", "--type=json", "-p", operations])).code,
    ).toBe(1);
    const port = '{"spec":{"ports":[{"port":443,"name":"tls"}]}}';
    await kubectl.ok(["patch", "svc", "echo", "-p", port]);
    expect(
      await kubectl.ok(["get", "svc", "echo", "-o", "jsonpath={.spec.ports[*].port}"]),
    ).toMatch(/80 443|443 80/);
    await kubectl.ok(["label", "dnse", "www", "team=a"]);
    await kubectl.ok(["annotate", "dnse", "www", "note=b"]);
    expect(await kubectl.ok(["get", "dnse", "-l", "team in (a)", "--show-labels"])).toContain(
      "team=a",
    );
    const object = await kubectl.ok(["get", "dnse", "www", "-o", "json"]);
    await kubectl.ok(["replace", "-f", "-"], object.replace('"ttl": 702', '"ttl": 703'));
    expect(await ttl()).toBe("703");
    const stale = await kubectl.run(["replace", "-f", "-"], object);
    expect(stale.stderr).toContain("the object has been modified");
    // replace has noted the version in the annotation, and the next apply would take it away:
    // custom objects need one.
    const apply = await kubectl.run(["apply", "-f", "-"], entry(704));
    expect(apply.stderr).toContain("metadata.resourceVersion: Invalid value: 0");
    await kubectl.ok(["annotate", "dnse", "www", `${LAST_APPLIED}-`]);
  });

  // kubectl 1.20 to 1.23 have no --subresource.
  if (!isOld)
    test("patch --subresource=status and wait for it", async () => {
      const status =
        '{"status":{"state":"Ready","provider":"default/primary","providerType":"rfc2136"}}';
      const waiting = kubectl.ok([
        "wait",
        "--for=jsonpath={.status.state}=Ready",
        "dnse/www",
        "--timeout=10s",
      ]);
      await kubectl.ok([
        "patch",
        "dnse",
        "www",
        "--subresource=status",
        "--type=merge",
        "-p",
        status,
      ]);
      expect(await waiting).toContain("condition met");
      expect(await kubectl.ok(["get", "dnse", "www"])).toMatch(
        /www\.example\.org +rfc2136 +default\/primary +Ready/,
      );
    });

  test("describe, explain, api-resources, version, can-i", async () => {
    expect(await kubectl.ok(["describe", "dnse", "www"])).toContain("www.example.org");
    expect(await kubectl.ok(["describe", "svc", "echo"])).toMatch(/Type: +LoadBalancer/);
    expect(await kubectl.ok(["describe", "secret", "creds"])).toContain("5 bytes");
    expect(await kubectl.ok(["explain", "dnse.spec"])).toMatch(/dnsName\s+<string> -required-/);
    expect(await kubectl.ok(["explain", "service.spec.ports"])).toContain("targetPort");
    expect(await kubectl.ok(["api-resources"])).toMatch(
      /dnsentries +dnse +dns\.gardener\.cloud\/v1alpha1 +true +DNSEntry/,
    );
    expect(await kubectl.ok(["version"])).toContain(
      isOwnedByUs ? "zonekeeper" : `v${judgeVersion()}`,
    );
    expect(await kubectl.ok(["auth", "can-i", "create", "services"])).toBe("yes\n");
  });

  test("edit opens the object, and what is saved is applied", async () => {
    const editor = { KUBE_EDITOR: "sed -i s/ttl:.*/ttl:\\ 777/" };
    const edited = await kubectl.run(["edit", "dnse", "www"], "", editor);
    expect(edited).toMatchObject({ code: 0 });
    expect(await kubectl.ok(["get", "dnse", "www", "-o", "jsonpath={.spec.ttl}"])).toBe("777");
    const wrong = { KUBE_EDITOR: "sed -i s/ttl:.*/ttl:\\ 0/" };
    const refusal = await kubectl.run(["edit", "dnse", "www"], "", wrong);
    expect(refusal.code).not.toBe(0);
    expect(refusal.stderr).toContain("is invalid");
    expect(await kubectl.ok(["get", "dnse", "www", "-o", "jsonpath={.spec.ttl}"])).toBe("777");
  });

  // kubectl 1.20 calls it an error when the object is gone before it looks.
  testWhere(!isOld, "wait until an object is gone", async () => {
    await kubectl.ok(["create", "secret", "generic", "brief", "--from-literal=a=b"]);
    const waiting = kubectl.ok(["wait", "--for=delete", "secret/brief", "--timeout=20s"]);
    await kubectl.ok(["delete", "secret", "brief"]);
    // Nothing is said when it was gone before kubectl looked.
    expect(await waiting).toMatch(/condition met|^$/);
  });

  test("auth can-i asks about whoever asks", async () => {
    const other = ["--token", server.tokenOf("controller"), "auth", "can-i"];
    const may = async (...what: readonly string[]): Promise<string> =>
      (await kubectl.run([...other, ...what])).stdout.trim();
    // The embedded control plane has no RBAC: everybody is an administrator.
    expect(await may("list", "secrets", "-A")).toBe(isOwnedByUs ? "yes" : "no");
    expect(await kubectl.ok(["auth", "can-i", "patch", "dnsentries/status"])).toContain("yes");
    expect(await kubectl.ok(["auth", "can-i", "--list"])).toMatch(/\*\.\* .*\[\*\]/);
  });

  test("create without a file, also as protobuf", async () => {
    await kubectl.ok(["create", "namespace", "team"]);
    await kubectl.ok(["-n", "team", "create", "secret", "generic", "s", "--from-literal=a=b"]);
    await kubectl.ok(["-n", "team", "create", "service", "loadbalancer", "lb", "--tcp=80:8080"]);
    await kubectl.ok([
      "-n",
      "team",
      "create",
      "ingress",
      "i",
      "--rule=x.example.org/*=lb:80,tls=t",
    ]);
    expect(
      await kubectl.ok([
        "-n",
        "team",
        "get",
        "svc",
        "lb",
        "-o",
        "jsonpath={.spec.ports[0].targetPort}",
      ]),
    ).toBe("8080");
    expect(await kubectl.ok(["-n", "team", "get", "secret", "s", "-o", "jsonpath={.data.a}"])).toBe(
      "Yg==",
    );
    expect(await kubectl.ok(["-n", "team", "get", "ing", "i"])).toMatch(/x\.example\.org +80, 443/);
    await kubectl.ok(["delete", "namespace", "team", `--wait=${isOwnedByUs}`]);
    if (!isOwnedByUs) return;
    expect((await kubectl.run(["get", "namespace", "team"])).stderr).toContain(
      'namespaces "team" not found',
    );
  });

  testWhere(isOwnedByUs, "apply over an example asks no questions", async () => {
    const { plane } = server as ControlPlaneServer;
    const example = entry(60).replace("{name: www}", "{name: example}");
    await plane.applyManifest(parse(example));
    const applied = await kubectl.run(["apply", "-f", "-"], example);
    expect(applied).toMatchObject({ code: 0, stderr: "" });
    const smaller = await kubectl.run(["apply", "-f", "-"], example.replace(" ttl: 60,", ""));
    expect(smaller).toMatchObject({ code: 0, stderr: "" });
    expect(await kubectl.ok(["get", "dnse", "example", "-o", "jsonpath={.spec.ttl}"])).toBe("");
    await kubectl.ok(["delete", "dnse", "example"]);
  });

  test("diff and dry run change nothing", async () => {
    const diff = await kubectl.run(["diff", "-f", "-"], entry(999));
    expect(diff.code).toBe(1);
    expect(diff.stdout).toContain("+  ttl: 999");
    expect(await kubectl.ok(["apply", "--dry-run=server", "-f", "-"], entry(999))).toContain(
      "server dry run",
    );
    expect(await kubectl.ok(["get", "dnse", "www", "-o", "jsonpath={.spec.ttl}"])).not.toBe("999");
  });

  test("get -w follows", async () => {
    const watching = kubectl.watch([
      "get",
      "dnse",
      "-w",
      "-o",
      "custom-columns=N:.metadata.name,T:.spec.ttl",
    ]);
    await watching.waitForLine(/^www/);
    await kubectl.ok(["patch", "dnse", "www", "--type=merge", "-p", '{"spec":{"ttl":1234}}']);
    await watching.waitForLine(/^www +1234$/);
    await watching.stop();
    const table = kubectl.watch(["get", "dnse", "-w"]);
    await table.waitForLine(/^www +www\.example\.org/);
    await kubectl.ok([
      "patch",
      "dnse",
      "www",
      "--type=merge",
      "-p",
      '{"spec":{"dnsName":"w3.example.org"}}',
    ]);
    await table.waitForLine(/^www +w3\.example\.org/);
    await table.stop();
  });

  test("bad input is refused with the field and the reason", async () => {
    expect(await refused(entry("abc"))).toMatch(/spec\.ttl.*integer/);
    expect(await refused(entry(0))).toMatch(
      /spec\.ttl: Invalid value: 0: spec\.ttl in body should be greater than or equal to 1/,
    );
    expect(await refused(entry(60, ", foo: bar"))).toMatch(/unknown field "(spec\.)?foo"/);
    expect(await refused(SERVICE.replace("echo,", "echo-,"))).toContain(
      "metadata.name: Invalid value",
    );
    expect(await refused(SERVICE.replace("port: 80", "port: 99999"))).toContain(
      "must be between 1 and 65535",
    );
    expect(await refused(INGRESS.replace("web.example.org", "Web_1"))).toContain(
      "spec.rules[0].host",
    );
    expect(
      await refused(entry(60).replace("{name: www}", "{name: x, namespace: nowhere}")),
    ).toContain('namespaces "nowhere" not found');
    expect(await refused("apiVersion: v1\nkind: [")).toMatch(/yaml/i);
    expect(
      await refused("apiVersion: example.org/v1\nkind: Chair\nmetadata: {name: x}\n"),
    ).toContain('no matches for kind "Chair"');
    expect(
      await refused('apiVersion: v1\nkind: Secret\nmetadata: {name: x}\ndata: {a: "%%%"}\n'),
    ).toContain(isOwnedByUs ? "data.a" : "base64");
  });

  test("a wrong token is told", async () => {
    const result = await kubectl.run(["--token=wrong", "get", "dnse"]);
    expect(result.code).not.toBe(0);
    expect(result.stderr).toMatch(/Unauthorized|must be logged in/);
  });

  test("delete waits until the object is gone", async () => {
    await kubectl.ok([
      "patch",
      "dnse",
      "www",
      "--type=merge",
      "-p",
      '{"metadata":{"finalizers":["test/hold"]}}',
    ]);
    const deleting = kubectl.ok(["delete", "dnse", "www", "--timeout=20s"]);
    await expect
      .poll(
        () => kubectl.ok(["get", "dnse", "www", "-o", "jsonpath={.metadata.deletionTimestamp}"]),
        { timeout: PATIENCE_MS },
      )
      .not.toBe("");
    await kubectl.ok([
      "patch",
      "dnse",
      "www",
      "--type=merge",
      "-p",
      '{"metadata":{"finalizers":null}}',
    ]);
    expect(await deleting).toContain("deleted");
    expect((await kubectl.run(["get", "dnse", "www"])).stderr).toContain("NotFound");
    await kubectl.ok(["delete", "svc,ing,secret,dnspr", "--all"]);
    expect((await kubectl.run(["get", "ing,dnse,dnspr"])).stderr).toContain("No resources found");
  });
}
