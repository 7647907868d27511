/**
 * The API in a process of its own, so that its work is not counted as ours: the embedded one, or
 * with KUBEBUILDER_ASSETS the kube-apiserver of that folder. Prints `ready {"kubeconfig":…}`, and
 * at each SIGUSR2 `requests {"requests":N,"writes":N,"writesOf":{…}}`: how many it has answered,
 * and those that write, without Leases and questions for rights. BENCH_SERVICES=N puts N Services
 * in before, where the API is the embedded one.
 */
import type { HttpHandler } from "@zonekeeper/base/ports/http";
import type { ApiServer } from "../../test/support/api-servers/api-server.ts";
import { startKubeApiServer } from "../../test/support/api-servers/kube-apiserver.ts";
import { startControlPlane } from "../../test/support/clients/control-plane-server.ts";
import { isWrite, writesOf } from "./api-requests.ts";
import { namespaceAt, serviceAt } from "./service-objects.ts";

const isReal = (process.env["KUBEBUILDER_ASSETS"] ?? "") !== "";
const { server, answered } = isReal ? await startReal() : await startEmbedded();
const { kubeconfig, url, caFile } = server;
const ready = { kubeconfig, server: url, caFile, token: server.tokenOf("admin") };
process.stdout.write(`ready ${JSON.stringify(ready)}\n`);
process.on("SIGUSR2", () => {
  const all = answered();
  const writes = all.filter(isWrite);
  const counts = { requests: all.length, writes: writes.length, writesOf: writesOf(writes) };
  process.stdout.write(`requests ${JSON.stringify(counts)}\n`);
});
process.once("SIGTERM", () => void server.close().then(() => process.exit(0)));

/** A server, and what it has answered so far: `PATCH /api/v1/…`. */
interface Started {
  readonly server: ApiServer;
  readonly answered: () => readonly string[];
}

async function startReal(): Promise<Started> {
  const server = await startKubeApiServer({ audit: true });
  const answered = (): readonly string[] =>
    server
      .audited()
      .filter(({ user }) => user.username === "admin")
      .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
  return { server, answered };
}

async function startEmbedded(): Promise<Started> {
  const plane = await startControlPlane();
  const token = plane.tokenOf("admin");
  await fill(plane.plane.handler, token, Number(process.env["BENCH_SERVICES"] ?? 0));
  return { server: plane, answered: () => plane.server.requests };
}

/** Writes Services through the API, without sockets. */
async function fill(handler: HttpHandler, token: string, count: number): Promise<void> {
  const namespaces = new Set<string>();
  for (let index = 0; index < count; index++) {
    const namespace = namespaceAt(index);
    if (!namespaces.has(namespace))
      await post("/api/v1/namespaces", { metadata: { name: namespace } });
    namespaces.add(namespace);
    await post(`/api/v1/namespaces/${namespace}/services`, serviceAt(index));
  }

  async function post(path: string, body: unknown): Promise<void> {
    const { status } = await handler({
      method: "POST",
      path,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: new TextEncoder().encode(JSON.stringify(body)),
      signal: new AbortController().signal,
    });
    if (status >= 300) throw new Error(`POST ${path}: ${status}`);
  }
}
