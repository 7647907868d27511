/** A control plane behind HTTPS on 127.0.0.1 with a kubeconfig, on the real clock. For tests with real clients. */
import { randomBytes, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ControlPlane } from "../../src/embedded/control-plane/control-plane.ts";
import { MemoryStore } from "../../src/embedded/store/memory-store.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Log } from "../../src/ports/log.ts";
import { type HttpsServer, serveHttps } from "./https-handler.ts";
import { makeTempFolder } from "./temp-folder.ts";

/** What runs. */
export interface ControlPlaneServer {
  readonly plane: ControlPlane;
  readonly server: HttpsServer;
  /** Path of a kubeconfig with the admin's token. */
  readonly kubeconfig: string;
  close(): Promise<void>;
}

/** Starts one with an empty store. */
export async function startControlPlane(): Promise<ControlPlaneServer> {
  const token = randomBytes(16).toString("hex");
  const plane = await ControlPlane.open({
    store: new MemoryStore(),
    clock: SYSTEM_CLOCK,
    random: {
      next: Math.random,
      bytes: (count) => randomBytes(count),
      uuid: () => randomUUID(),
    },
    log: SILENT_LOG,
    tokens: [{ name: "admin", token }],
  });
  const server = await serveHttps(plane.handler);
  const folder = makeTempFolder("control-plane");
  const kubeconfig = join(folder.path, "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigText(server, token));
  return {
    plane,
    server,
    kubeconfig,
    close: async () => {
      await plane.stop();
      await server.close();
      folder.remove();
    },
  };
}

function kubeconfigText(server: HttpsServer, token: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [
      { name: "test", cluster: { server: server.url, "certificate-authority": server.caFile } },
    ],
    users: [{ name: "test", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test", namespace: "default" } }],
  });
}

const SYSTEM_CLOCK: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

const SILENT_LOG: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => SILENT_LOG,
};
