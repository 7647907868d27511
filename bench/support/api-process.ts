/**
 * The embedded API in a process of its own, so that its work is not counted as ours. Prints `ready
 * {"kubeconfig":…}`, and at each SIGUSR2 `requests {"requests":N,"writes":N}`: how many it has
 * answered, and those that write, without Leases and questions for rights. BENCH_SERVICES=N
 * puts N Services in before.
 */
import { readFileSync } from "node:fs";
import type { HttpHandler } from "@zonekeeper/base/ports/http";
import { startControlPlane } from "../../test/support/clients/control-plane-server.ts";
import { namespaceAt, serviceAt } from "./service-objects.ts";

const { plane, kubeconfig, server, close } = await startControlPlane();
const config: { readonly users: readonly [{ readonly user: { readonly token: string } }] } =
  JSON.parse(readFileSync(kubeconfig, "utf8"));
const { token } = config.users[0].user;
await fill(plane.handler, Number(process.env["BENCH_SERVICES"] ?? 0));
const ready = { kubeconfig, server: server.url, caFile: server.caFile, token };
process.stdout.write(`ready ${JSON.stringify(ready)}\n`);
const isWrite = (text: string): boolean =>
  !text.startsWith("GET ") && !/\/leases|accessreviews/.test(text);
process.on("SIGUSR2", () => {
  const { requests } = server;
  const counts = { requests: requests.length, writes: requests.filter(isWrite).length };
  process.stdout.write(`requests ${JSON.stringify(counts)}\n`);
});
process.once("SIGTERM", () => void close().then(() => process.exit(0)));

/** Writes Services through the API, without sockets. */
async function fill(handler: HttpHandler, count: number): Promise<void> {
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
