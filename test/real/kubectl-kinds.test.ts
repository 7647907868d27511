/**
 * The kinds of the embedded control plane, built-in and custom, as kubectl 1.20 and 1.32 see them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ControlPlaneServer,
  startControlPlane,
} from "../support/clients/control-plane-server.ts";
import { KUBECTL_VERSIONS, Kubectl, kubectlPath } from "../support/clients/kubectl.ts";
import { describeReal } from "../support/real-servers/availability.ts";

/** kubectl runs elsewhere. */
const FOLDER = resolve("deploy/crds");

const WIDGETS = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Widget, plural: widgets, shortNames: [wi], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
    additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .spec.size}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        description: A thing that is made up.
        properties:
          spec:
            type: object
            required: [size]
            x-kubernetes-validations:
            - {rule: "self.size != 'large' || self.replicas < 3", message: at most two large ones}
            properties:
              size: {type: string, enum: [small, large], description: How large it is.}
              replicas: {type: integer, minimum: 0, default: 1}
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}}}
          status:
            type: object
            properties: {replicas: {type: integer}}
`;
const widget = (spec: string, name = "one"): string => `
apiVersion: example.org/v1
kind: Widget
metadata: {name: ${name}}
spec: {${spec}}
`;
const PLAIN = `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: main, image: "registry.example.org/web:1", ports: [{containerPort: 80}]}]}
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {node-role.kubernetes.io/worker: ""}}
---
apiVersion: v1
kind: Endpoints
metadata: {name: web}
subsets: [{addresses: [{ip: 192.0.2.1}], ports: [{port: 80, protocol: TCP}]}]
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx}
spec: {controller: example.org/nginx}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web}
addressType: IPv4
endpoints: [{addresses: [192.0.2.1]}]
ports: [{name: "", port: 80, protocol: TCP}]
`;

for (const version of KUBECTL_VERSIONS)
  describeReal(`kinds by kubectl ${version}`, [`kubectl-${version}`], () => {
    suite(version, version === "1.20");
  });

function suite(version: (typeof KUBECTL_VERSIONS)[number], isOld: boolean): void {
  let plane: ControlPlaneServer;
  let kubectl: Kubectl;
  beforeAll(async () => {
    plane = await startControlPlane();
    kubectl = new Kubectl(version, plane.kubeconfig, kubectlPath(version));
  });
  afterAll(async () => {
    await kubectl.close();
    await plane.close();
  });
  const refused = async (input: string, ...flags: readonly string[]): Promise<string> => {
    const result = await kubectl.run(["apply", "-f", "-", ...flags], input);
    expect(result.code).not.toBe(0);
    return result.stderr;
  };

  test("plain kinds: apply, columns, apply again", async () => {
    expect((await kubectl.ok(["apply", "-f", "-"], PLAIN)).match(/ created/g)).toHaveLength(5);
    expect((await kubectl.ok(["apply", "-f", "-"], PLAIN)).match(/ unchanged/g)).toHaveLength(5);
    expect(await kubectl.ok(["get", "po"])).toMatch(/web +0\/1 +Pending +0 +\d+s/);
    expect(await kubectl.ok(["get", "no"])).toMatch(/n1 +Unknown +worker +\d+s/);
    expect(await kubectl.ok(["get", "ep"])).toMatch(/web +192\.0\.2\.1:80 +\d+s/);
    expect(await kubectl.ok(["get", "ingressclass"])).toMatch(/nginx +example\.org\/nginx +<none>/);
    expect(await kubectl.ok(["get", "endpointslices"])).toMatch(/web +IPv4 +80 +192\.0\.2\.1/);
    expect(await kubectl.ok(["describe", "po", "web"])).toContain("registry.example.org/web:1");
    expect(await kubectl.ok(["explain", "service.spec.ports"])).toContain("targetPort");
    await kubectl.ok(["set", "image", "pod/web", "main=registry.example.org/web:2"]);
    await kubectl.ok(["cordon", "n1"]);
    expect(await kubectl.ok(["get", "no"])).toContain("Unknown,SchedulingDisabled");
    expect((await kubectl.run(["logs", "web"])).stderr).toContain(
      "could not find the requested resource",
    );
  });

  test("create configmap, also as protobuf, and its rules", async () => {
    await kubectl.ok(["create", "configmap", "settings", "--from-literal=a=b"]);
    expect(await kubectl.ok(["get", "cm", "settings", "-o", "jsonpath={.data.a}"])).toBe("b");
    await kubectl.ok(["patch", "cm", "settings", "-p", '{"immutable":true}']);
    const change = await kubectl.run(["patch", "cm", "settings", "-p", '{"data":{"a":"c"}}']);
    expect(change.stderr).toContain("field is immutable when `immutable` is set");
  });

  test("a definition makes a kind: get crd, api-resources, explain", async () => {
    expect(await kubectl.ok(["apply", "-f", "-"], WIDGETS)).toContain(
      "widgets.example.org created",
    );
    await kubectl.ok(["wait", "--for=condition=Established", "crd/widgets.example.org"]);
    expect(await kubectl.ok(["get", "crd"])).toMatch(/widgets\.example\.org +20\d\d-/);
    expect(await kubectl.ok(["api-resources"])).toMatch(
      /widgets +wi +example\.org\/v1 +true +Widget/,
    );
    expect(await kubectl.ok(["explain", "widget.spec"])).toContain("How large it is.");
    expect(await kubectl.ok(["explain", "dnse.spec"])).toContain("dnsName");
    expect(await kubectl.ok(["apply", "-f", "-"], WIDGETS)).toContain("unchanged");
  });

  test("custom objects: apply, columns, category, status", async () => {
    await kubectl.ok(["apply", "-f", "-"], widget("size: small, ports: [{name: a}]"));
    expect(await kubectl.ok(["get", "wi"])).toMatch(/^NAME +SIZE +AGE\none +small +\d+s\n$/);
    expect(await kubectl.ok(["get", "all", "-o", "name"])).toContain("widget.example.org/one");
    expect(await kubectl.ok(["get", "wi", "one", "-o", "jsonpath={.spec.replicas}"])).toBe("1");
    const again = widget("size: large, ports: [{name: a}]");
    expect(await kubectl.ok(["apply", "-f", "-"], again)).toContain("configured");
  });

  test("bad objects are refused with the field and the reason", async () => {
    expect(await refused(widget("size: huge", "bad"))).toContain(
      'spec.size: Unsupported value: "huge": supported values: "small", "large"',
    );
    expect(await refused(widget("size: large, replicas: 3", "bad"))).toContain(
      "at most two large ones",
    );
    expect(await refused(widget("replicas: 1", "bad"))).toMatch(
      /spec\.size: Required|missing required field "size"/,
    );
    expect(await refused(widget("size: small, colour: red", "bad"))).toMatch(
      /unknown field "(spec\.)?colour"/,
    );
    expect(await refused(widget("size: small, ports: [{name: a}, {name: a}]", "bad"))).toContain(
      "spec.ports[1]: Duplicate value",
    );
  });

  test("bad definitions are refused with the field and the reason", async () => {
    const other = WIDGETS.replaceAll("widgets", "gadgets")
      .replace("Widget", "Gadget")
      .replace("wi]", "ga]");
    expect(await refused(other.replace("size: {type: string,", "size: {"))).toContain(
      "properties[spec].properties[size].type: Required value: must not be empty for specified object fields",
    );
    expect(await refused(other.replace("self.size !=", "self.colour !="))).toContain(
      "undefined field 'colour'",
    );
    const webhook = other.replace(
      "scope: Namespaced",
      "scope: Namespaced\n  conversion: {strategy: Webhook}",
    );
    expect(await refused(webhook)).toContain("conversion by webhooks is not served");
  });

  test("the program's own definitions apply as they are shipped", async () => {
    expect(readdirSync(FOLDER).length).toBeGreaterThan(3);
    expect(await kubectl.ok(["apply", "-f", FOLDER])).toMatch(/configured|unchanged/);
    const file = readFileSync(`${FOLDER}/dns.gardener.cloud_dnsentries.yaml`, "utf8");
    expect(await kubectl.ok(["apply", "-f", "-"], file)).toContain("unchanged");
    if (isOld) return;
    expect(await kubectl.ok(["diff", "-f", FOLDER])).toBe("");
  });

  test("deleting a definition deletes its objects and its kind", async () => {
    await kubectl.ok(["delete", "crd", "widgets.example.org"]);
    // kubectl may have the kind in its cache.
    expect((await kubectl.run(["get", "wi"])).stderr).toMatch(
      /doesn't have a resource type "wi"|could not find the requested resource/,
    );
    expect(await refused(widget("size: small"))).toMatch(
      /no matches for kind "Widget"|could not find the requested resource/,
    );
  });

  test("kinds that are not served are named as such", async () => {
    expect((await kubectl.run(["get", "deployments"])).stderr).toContain(
      'the server doesn\'t have a resource type "deployments"',
    );
    const role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: x}\n";
    expect(await refused(role)).toContain('no matches for kind "Role"');
  });
}
