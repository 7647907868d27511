/**
 * Controllers in Go as people build them today, on client-go and on controller-runtime with its
 * defaults: protobuf bodies, streamed lists, elections by Lease, Events of both groups. The same
 * programs run against a real kube-apiserver, which shows that they ask for nothing odd.
 */
import { listAt, textAt, valueAt } from "@zonekeeper/kube/control-plane/json/json";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { HttpsCaller } from "../support/api-servers/https-caller.ts";
import { API_SERVERS } from "../support/api-servers/index.ts";
import { type ApiClient, apiClientPath, startApiClient } from "../support/clients/api-clients.ts";
import { eventually } from "../support/ports/eventually.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const CORE = "/api/v1/namespaces/default";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const ENTRIES = "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries";
const CLUSTER_IP = /^10\./;

const service = (name: string) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "default" },
  spec: { ports: [{ name: "web", port: 80 }] },
});

for (const { name, needs, start } of API_SERVERS) {
  describeReal(`Go clients of ${name}`, ["api-clients", ...needs], () => {
    let server: ApiServer;
    let admin: HttpsCaller;
    const clients: ApiClient[] = [];

    beforeAll(async () => {
      server = await start();
      admin = HttpsCaller.open(server.url, {
        caFile: server.caFile,
        token: server.tokenOf("admin"),
      });
    });
    // What klog says in a warning (W) or an error (E), and controller-runtime in its JSON log:
    // reflectors, elections and reconciliations that try again. A call that is under way when we
    // end a client is broken off.
    afterEach(() => {
      const printed = clients.flatMap((client) => client.lines());
      const isTrouble = (line: string): boolean =>
        /^(FAILED|[EW]\d{4} )|"level":"(error|warn)"/.test(line) &&
        !/terminated signal received|context canceled|after stop sequence was engaged/.test(line);
      expect(printed.filter(isTrouble)).toEqual([]);
    });
    afterAll(async () => {
      for (const client of clients) await client.end();
      admin.close();
      await server.close();
    });

    const startGo = async (program: "informer" | "controller"): Promise<ApiClient> => {
      const client = await startApiClient({
        command: apiClientPath(program),
        kubeconfig: server.kubeconfig,
      });
      clients.push(client);
      return client;
    };
    const holder = async (lease: string): Promise<string> =>
      textAt(await admin.json("GET", `${LEASES}/${lease}`), "spec", "holderIdentity");
    const eventsOf = async (object: string, reason: string): Promise<readonly string[]> => {
      const fields = `involvedObject.name=${object},reason=${reason}`;
      const path = `${CORE}/events?fieldSelector=${encodeURIComponent(fields)}`;
      return listAt(await admin.json("GET", path), "items").map((event) =>
        textAt(event, "message"),
      );
    };

    test("client-go: elected, told of Services, patches, applies and records", async () => {
      await admin.json("POST", `${CORE}/services`, service("before"));
      const informer = await startGo("informer");
      await informer.prints("leading");
      await informer.prints(/^synced [12]$/);
      expect(informer.lines()).toContain("added before");
      await admin.json("POST", `${CORE}/services`, service("web"));
      await informer.prints("updated web informer 1");
      const web = await admin.json("GET", `${CORE}/services/web`);
      expect(valueAt(web, "metadata", "annotations")).toEqual({
        "example.org/seen-by": "informer",
      });
      const config = await eventually(
        "the ConfigMap",
        () => admin.json("GET", `${CORE}/configmaps/web`).catch(() => null),
        (seen) => seen !== null,
      );
      expect(textAt(config, "data", "clusterIP")).toMatch(CLUSTER_IP);
      expect(listAt(config, "metadata", "managedFields")).toMatchObject([
        { manager: "informer", operation: "Apply" },
      ]);
      await eventually(
        "the Event",
        () => eventsOf("web", "Seen"),
        (seen) => seen.includes("port 80"),
      );
      await admin.json("DELETE", `${CORE}/services/web`);
      await informer.prints("deleted web");
    });

    test("client-go: a second one waits for the Lease and gets it when the first ends", async () => {
      const [first] = clients;
      const second = await startGo("informer");
      const before = await holder("informer");
      expect(before).toMatch(/^informer-\d+$/);
      await first?.prints("leading");
      expect(second.lines()).not.toContain("leading");
      expect(await first?.end()).toBe(0);
      await second.prints("leading");
      await second.prints("served before");
      expect(await holder("informer")).not.toBe(before);
      expect(await second.end()).toBe(0);
      expect(await holder("informer")).toBe("");
    });

    test("controller-runtime: a manager with defaults reconciles kinds of Kubernetes", async () => {
      const controller = await startGo("controller");
      await admin.json("POST", `${CORE}/services`, service("owned"));
      await controller.prints("configured owned created");
      const owned = await admin.json("GET", `${CORE}/services/owned`);
      const config = await admin.json("GET", `${CORE}/configmaps/owned`);
      expect(listAt(config, "metadata", "ownerReferences")).toMatchObject([
        { kind: "Service", name: "owned", uid: textAt(owned, "metadata", "uid"), controller: true },
      ]);
      await eventually(
        "the Event",
        () => eventsOf("owned", "Configured"),
        (seen) => seen.includes("ConfigMap created"),
      );
      // Its watch of what the Service owns: the reconciler puts back what somebody changes.
      const changed = { ...(config as object), data: { clusterIP: "none" } };
      await admin.json("PUT", `${CORE}/configmaps/owned`, changed);
      await controller.prints("configured owned updated");
      await admin.json("DELETE", `${CORE}/services/owned`);
      await controller.prints("finalized owned");
      await eventually(
        "the Service is gone",
        () => admin.status(`${CORE}/services/owned`),
        (status) => status === 404,
      );
    });

    test("controller-runtime: reconciles a custom kind and writes its status", async () => {
      const controller = clients.at(-1);
      await admin.json("POST", ENTRIES, {
        apiVersion: "dns.gardener.cloud/v1alpha1",
        kind: "DNSEntry",
        metadata: { name: "one", namespace: "default" },
        spec: { dnsName: "one.example.org", targets: ["192.0.2.1"] },
      });
      await eventually(
        "the state",
        () => admin.json("GET", `${ENTRIES}/one`),
        (seen) => valueAt(seen, "status", "state") === "Ready",
      );
      expect(await controller?.end()).toBe(0);
      expect(controller?.lines()).toContain("ended");
      expect(await holder("controller")).toBe("");
    });
  });
}
