/**
 * BENCH_CLUSTERS embedded APIs in a process of its own, each with BENCH_ENTRIES ServiceEntries that
 * are published. Prints `ready [{"kubeconfig":…}]`; at SIGUSR2 the first one is gone, the second
 * one hangs, and `cut` is printed.
 */
import type { HttpHandler } from "@zonekeeper/base/ports/http";
import { parse } from "yaml";
import { startControlPlane } from "../../test/support/clients/control-plane-server.ts";
import { istioDefinition } from "../../test/support/real-servers/released-definitions.ts";
import { DEFINITIONS_PATH, entriesPath, publishedEntry } from "./service-entries.ts";

const [clusters, entries] = ["BENCH_CLUSTERS", "BENCH_ENTRIES"].map((key) =>
  Number(process.env[key]),
);
const definition = parse(istioDefinition("serviceentries"));
const planes = await Promise.all(
  Array.from({ length: clusters ?? 0 }, async (_, cluster) => {
    const plane = await startControlPlane();
    const post = poster(plane.plane.handler, plane.tokenOf("admin"));
    await post(DEFINITIONS_PATH, definition);
    for (let index = 0; index < (entries ?? 0); index++)
      await post(entriesPath(), publishedEntry(cluster, index));
    return plane;
  }),
);
const ready = planes.map((plane) => ({
  ...{ kubeconfig: plane.kubeconfig, server: plane.url, caFile: plane.caFile },
  token: plane.tokenOf("admin"),
}));
process.stdout.write(`ready ${JSON.stringify(ready)}\n`);
process.on("SIGUSR2", () => {
  const [gone, hanging] = planes;
  hanging?.freeze();
  void gone?.kill().then(() => process.stdout.write("cut\n"));
});
process.once("SIGTERM", () => process.exit(0));

/** Writes through the API, without sockets. */
function poster(handler: HttpHandler, token: string) {
  return async (path: string, body: unknown): Promise<void> => {
    const { status } = await handler({
      ...{ method: "POST", path, signal: new AbortController().signal },
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
    if (status >= 300) throw new Error(`POST ${path}: ${status}`);
  };
}
