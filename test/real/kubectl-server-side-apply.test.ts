/**
 * Server-side apply of the embedded control plane as kubectl 1.20 and 1.32 use it: conflicts,
 * force, diff, what is shown of the owners, and the way from client-side apply.
 */
import { listAt, textAt } from "@zonekeeper/kube/control-plane/json/json";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ControlPlaneServer,
  startControlPlane,
} from "../support/clients/control-plane-server.ts";
import { KUBECTL_VERSIONS, Kubectl, type KubectlVersion } from "../support/clients/kubectl.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const entry = (name: string, ttl: number, more = ""): string => `
apiVersion: dns.gardener.cloud/v1alpha1
kind: DNSEntry
metadata: {name: ${name}}
spec: {dnsName: ${name}.example.org, ttl: ${ttl}, targets: [192.0.2.1]${more}}
`;
const service = (port: number): string => `
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, ports: [{name: p${port}, port: ${port}}]}
`;
const APPLY = ["apply", "--server-side", "-f", "-"];

for (const version of KUBECTL_VERSIONS)
  describeReal(`server-side apply by kubectl ${version}`, [`kubectl-${version}`], () =>
    suite(version),
  );

function suite(version: KubectlVersion): void {
  let plane: ControlPlaneServer;
  let kubectl: Kubectl;
  const isOld = version === "1.20";
  beforeAll(async () => {
    plane = await startControlPlane();
    kubectl = new Kubectl(version, plane.kubeconfig);
  });
  afterAll(async () => {
    await kubectl.close();
    await plane.close();
  });
  const ttl = (name: string): Promise<string> =>
    kubectl.ok(["get", "dnse", name, "-o", "jsonpath={.spec.ttl}"]);
  const managers = async (name: string): Promise<readonly string[]> => {
    const flags = isOld ? [] : ["--show-managed-fields"];
    const object = await kubectl.json(["get", "dnse", name, ...flags]);
    return listAt(object, "metadata", "managedFields").map(
      (each) => `${textAt(each, "manager")} ${textAt(each, "operation")}`,
    );
  };

  test("creates, changes, and says when another owns a field", async () => {
    expect(await kubectl.ok(APPLY, entry("www", 60))).toContain("serverside-applied");
    await kubectl.ok(APPLY, entry("www", 61));
    expect(await ttl("www")).toBe("61");
    const refused = await kubectl.run([...APPLY, "--field-manager=other"], entry("www", 70));
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(
      'Apply failed with 1 conflict: conflict with "kubectl": .spec.ttl',
    );
    expect(refused.stderr).toContain("--force-conflicts");
    const forced = ["--field-manager=other", "--force-conflicts"];
    await kubectl.ok([...APPLY, ...forced], entry("www", 70));
    expect(await ttl("www")).toBe("70");
    expect(await managers("www")).toEqual(["kubectl Apply", "other Apply"]);
  });

  test("built-in kinds: ports of two managers live side by side", async () => {
    await kubectl.ok(APPLY, service(80));
    await kubectl.ok([...APPLY, "--field-manager=other"], service(443));
    expect(await kubectl.ok(["get", "svc", "web", "-o", "jsonpath={.spec.ports[*].port}"])).toBe(
      "80 443",
    );
    await kubectl.ok(APPLY, service(81));
    expect(await kubectl.ok(["get", "svc", "web", "-o", "jsonpath={.spec.ports[*].port}"])).toMatch(
      /^(443 81|81 443)$/,
    );
  });

  test("the owners are not shown unless asked for", async () => {
    const plain = await kubectl.ok(["get", "dnse", "www", "-o", "yaml"]);
    if (isOld) expect(plain).toContain("managedFields");
    else expect(plain).not.toContain("managedFields");
  });

  test("diff and dry run show what an apply would do, and do nothing", async () => {
    await kubectl.ok(APPLY, entry("diffed", 60));
    const same = await kubectl.run(["diff", "--server-side", "-f", "-"], entry("diffed", 60));
    expect({ code: same.code, out: same.stdout, err: same.stderr }).toMatchObject({ code: 0 });
    const diff = await kubectl.run(["diff", "--server-side", "-f", "-"], entry("diffed", 61));
    expect(diff.code).toBe(1);
    expect(diff.stdout).toMatch(/-\s+ttl: 60\n\+\s+ttl: 61/);
    const tried = await kubectl.ok([...APPLY, "--dry-run=server"], entry("diffed", 62));
    expect(tried).toContain("serverside-applied (server dry run)");
    expect(await ttl("diffed")).toBe("60");
  });

  test("what client-side apply managed is taken over", async () => {
    await kubectl.ok(["apply", "-f", "-"], entry("moved", 60, ", text: []"));
    expect(await kubectl.ok(["apply", "view-last-applied", "dnse/moved"])).toContain("ttl: 60");
    await kubectl.ok(APPLY, entry("moved", 61));
    expect(await ttl("moved")).toBe("61");
    expect(await kubectl.ok(["apply", "view-last-applied", "dnse/moved"])).toContain("ttl: 61");
    if (isOld) return;
    // kubectl 1.26 and newer moves the record itself (client-go util/csaupgrade) and owns the
    // annotation apart. The entries are in the order of their times, in seconds.
    const moved = [...(await managers("moved"))].sort();
    expect(moved).toEqual(["kubectl Apply", "kubectl-last-applied Apply"]);
    const object = await kubectl.json(["get", "dnse", "moved"]);
    expect(object).not.toHaveProperty("spec.text");
  });

  test("client-side apply goes on after it", async () => {
    await kubectl.ok(APPLY, entry("back", 60));
    await kubectl.run(["apply", "-f", "-"], entry("back", 61));
    expect(await ttl("back")).toBe("61");
  });

  test("a deletion that is only tried deletes nothing", async () => {
    await kubectl.ok(APPLY, entry("kept", 60));
    await kubectl.ok(["delete", "dnse", "kept", "--dry-run=server"]);
    expect(await ttl("kept")).toBe("60");
    await kubectl.ok(["delete", "dnse", "kept", "--cascade=orphan"].slice(0, isOld ? 3 : 4));
    expect((await kubectl.run(["get", "dnse", "kept"])).stderr).toContain("not found");
  });

  test("a field that there is not is refused", async () => {
    const refused = await kubectl.run(
      [...APPLY, "--validate=false"],
      entry("typo", 60, ", tttl: 1"),
    );
    expect(refused.stderr).toContain(".spec.tttl: field not declared in schema");
  });
}
