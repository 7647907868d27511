/**
 * The cluster client's suite over HTTPS: against the embedded control plane, and against a real
 * kube-apiserver.
 */
import { readFileSync } from "node:fs";
import { RealClock } from "../../src/app/ports/real-clock.ts";
import { RealHttpClient } from "../../src/app/ports/real-http-client.ts";
import { type ClusterHarness, clusterClientConformance } from "../conformance/cluster-client.ts";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { describeReal } from "../support/real-servers/availability.ts";

/**
 * A server that restarts serves no custom kinds at first; a watch that says nothing more is given
 * up after 75 s, once at worst.
 */

clusterClientConformance(
  "the embedded control plane",
  { restart: false, compact: false },
  async () => {
    const server = await startControlPlane();
    return { ...harnessOf(server), restart: null, compact: null };
  },
);

describeReal("a real server", ["kube-apiserver"], () => {
  clusterClientConformance("kube-apiserver", { restart: true, compact: true }, async () => {
    const server = await startKubeApiServer();
    return {
      ...harnessOf(server),
      restart: () => server.restart(),
      compact: () => server.compact(),
    };
  });
});

function harnessOf(server: ApiServer): Omit<ClusterHarness, "restart" | "compact"> {
  const http = new RealHttpClient({
    origin: server.url,
    tls: { ca: readFileSync(server.caFile, "utf8") },
    authorization: async () => `Bearer ${server.tokenOf("admin")}`,
  });
  return {
    http,
    clock: new RealClock(),
    until: async (what, isSo, saw) => {
      const poll = async () => isSo() || { saw: saw?.() };
      await eventually(what, poll, (seen) => seen === true);
    },
    stop: async () => {
      http.close();
      await server.close();
    },
  };
}
