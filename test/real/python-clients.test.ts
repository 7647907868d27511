/**
 * Clients in Python: a script on the official client, and an operator on kopf. The same programs
 * run against a real kube-apiserver, which shows that they ask for nothing odd.
 */
import { resolve } from "node:path";
import { listAt, textAt, valueAt } from "@zonekeeper/kube/control-plane/json/json";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { HttpsCaller } from "../support/api-servers/https-caller.ts";
import { API_SERVERS } from "../support/api-servers/index.ts";
import { type ApiClient, apiClientPath, startApiClient } from "../support/clients/api-clients.ts";
import { eventually } from "../support/ports/eventually.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const SOURCES = resolve("test/real/api-clients/python");
const PYTHON = apiClientPath("python/bin/python");
const CORE = "/api/v1/namespaces/default";
const ENTRIES = "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries";

const labelled = (name: string, ports: readonly number[]) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "default", labels: { kopf: "yes" } },
  spec: { ports: ports.map((port) => ({ name: `p${port}`, port })) },
});

for (const { name, needs, start } of API_SERVERS) {
  describeReal(`Python clients of ${name}`, ["api-clients", ...needs], () => {
    let server: ApiServer;
    let admin: HttpsCaller;

    beforeAll(async () => {
      server = await start();
      admin = HttpsCaller.open(server.url, {
        caFile: server.caFile,
        token: server.tokenOf("admin"),
      });
    });
    afterAll(async () => {
      admin.close();
      await server.close();
    });

    const startPython = (...args: readonly string[]): Promise<ApiClient> =>
      startApiClient({ command: PYTHON, args, kubeconfig: server.kubeconfig });

    test("the official client: pages, patches, watches, applies, records and is elected", async () => {
      const client = await startPython(`${SOURCES}/client.py`);
      try {
        await client.prints("done");
      } finally {
        await client.end();
      }
      expect(client.lines()).toEqual([
        "listed a b c",
        "patched 80 443",
        "patched 80",
        "refused 409 Conflict",
        "watched DELETED old",
        "watched ADDED new",
        "recorded New:events Old:core",
        "refused 409 Conflict",
        "applied 192.0.2.2",
        "state Ready",
        "elected True",
        "lease python-0 4",
        "done",
        "",
      ]);
    });

    test("kopf: handlers annotate a Service, hold it and release it", async () => {
      const kopf = await startPython(
        "-m",
        "kopf",
        "run",
        "--standalone",
        "--all-namespaces",
        `${SOURCES}/handlers.py`,
      );
      try {
        await follow(kopf, admin);
      } finally {
        expect(await kopf.end()).toBe(0);
      }
    });
  });
}

async function follow(kopf: ApiClient, admin: HttpsCaller): Promise<void> {
  const path = `${CORE}/services/kopf`;
  const annotated = (ports: string): Promise<unknown> =>
    eventually(
      `ports ${ports}`,
      () => admin.json("GET", path),
      (seen) => valueAt(seen, "metadata", "annotations", "example.org/ports") === ports,
    );
  await admin.json("POST", `${CORE}/services`, labelled("kopf", [80]));
  const service = await annotated("80");
  expect(valueAt(service, "metadata", "finalizers")).toEqual(["example.org/kopf"]);
  await admin.patch(path, { spec: labelled("kopf", [80, 443]).spec });
  await annotated("80,443");
  const events = `${CORE}/events?fieldSelector=${encodeURIComponent("reason=Annotated")}`;
  await eventually(
    "the Events",
    async () =>
      listAt(await admin.json("GET", events), "items").map((each) => textAt(each, "message")),
    (messages) => messages.includes("ports 80") && messages.includes("ports 80,443"),
  );
  await admin.json("POST", ENTRIES, {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { name: "kopf", namespace: "default" },
    spec: { dnsName: "kopf.example.org", targets: ["192.0.2.1"] },
  });
  await eventually(
    "the state",
    () => admin.json("GET", `${ENTRIES}/kopf`),
    (entry) => valueAt(entry, "status", "state") === "Ready",
  );
  await admin.json("DELETE", path);
  await kopf.prints("released kopf");
  await eventually(
    "the Service is gone",
    () => admin.status(path),
    (status) => status === 404,
  );
}
