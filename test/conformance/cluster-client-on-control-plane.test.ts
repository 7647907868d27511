/**
 * The cluster client's suite against the embedded control plane, without sockets and on a virtual
 * clock.
 */

import type { HttpRequest } from "@zonekeeper/base/ports/http";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { ADMIN_TOKEN, TestApi } from "../support/clients/control-plane-api.ts";
import { HandlerClient } from "../support/clients/handler-client.ts";
import { VirtualClock } from "../support/ports/virtual-clock.ts";
import { type ClusterHarness, clusterClientConformance } from "./cluster-client.ts";

/** Virtual time for a state of the world to come. */
const PATIENCE_MS = 600_000;
const STEP_MS = 100;

clusterClientConformance("the embedded control plane", { restart: true, compact: false }, start);

async function start(): Promise<ClusterHarness> {
  const clock = new VirtualClock();
  const store = new MemoryStore();
  let api: TestApi | null = await TestApi.open({ clock, store });
  const answer = (request: HttpRequest) => {
    if (api === null) throw new Error("connection refused");
    const headers = { ...request.headers, authorization: `Bearer ${ADMIN_TOKEN}` };
    return api.plane.handler({ ...request, headers });
  };
  return {
    http: new HandlerClient(answer),
    clock,
    until: async (what, isSo) => {
      await clock.settle();
      for (let passed = 0; !isSo(); passed += STEP_MS) {
        if (passed > PATIENCE_MS) throw new Error(`${what}: not in ${PATIENCE_MS} virtual ms`);
        await clock.advance(STEP_MS);
      }
    },
    restart: async () => {
      await api?.plane.stop();
      api = null;
      await clock.settle();
      api = await TestApi.open({ clock, store });
    },
    compact: null,
    stop: async () => {
      await api?.plane.stop();
    },
  };
}
