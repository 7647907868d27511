/**
 * A control plane behind HTTPS on 127.0.0.1 with a kubeconfig, on the real clock. For tests with
 * real clients.
 */

import { randomBytes, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { HttpHandler } from "@zonekeeper/base/ports/http";
import type { Log } from "@zonekeeper/base/ports/log";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { ControlPlane } from "@zonekeeper/kube/control-plane/control-plane";
import { embeddedDefinitions } from "../../../src/app/commands/run/definitions.ts";
import type { ApiServer, UserName } from "../api-servers/api-server.ts";
import { kubeconfigText } from "../api-servers/kubeconfig-text.ts";
import { makeTempFolder } from "../ports/temp-folder.ts";
import { type HttpsServer, serveHttps } from "./https-handler.ts";

/** What runs. */
export interface ControlPlaneServer extends ApiServer {
  readonly plane: ControlPlane;
  readonly server: HttpsServer;
}

/** A request as an audit log has it. */
export interface AuditedRequest {
  readonly user: UserName | null;
  readonly method: string;
  readonly path: string;
}

/**
 * Starts one with an empty store. `audit` hears of each request; `answers`: by path, JSON
 * of kinds that it does not have.
 */
export async function startControlPlane(
  audit: (request: AuditedRequest) => void = () => undefined,
  answers: ReadonlyMap<string, string> = new Map(),
): Promise<ControlPlaneServer> {
  const tokens = { admin: secret(), controller: secret() };
  const users = ["admin", "controller"] as const;
  const plane = await ControlPlane.open({
    store: new MemoryStore(),
    clock: SYSTEM_CLOCK,
    random: {
      next: Math.random,
      bytes: (count) => randomBytes(count),
      uuid: () => randomUUID(),
    },
    log: SILENT_LOG,
    definitions: embeddedDefinitions(),
    tokens: users.map((name) => ({ name, token: tokens[name] })),
  });
  let isThawed = Promise.resolve();
  let thaw = (): void => undefined;
  const handler: HttpHandler = async (request) => {
    await isThawed;
    const { method, path, headers } = request;
    const user = users.find((name) => headers["authorization"] === `Bearer ${tokens[name]}`);
    audit({ user: user ?? null, method, path });
    const answer = answers.get(path);
    if (answer === undefined) return plane.handler(request);
    const body = [new TextEncoder().encode(answer)];
    return {
      ...{ status: 200, headers: { "content-type": "application/json" } },
      body: (async function* () {
        yield* body;
      })(),
    };
  };
  const server = await serveHttps({ handler, tooLarge: plane.tooLarge }, SILENT_LOG);
  const folder = makeTempFolder("control-plane");
  const kubeconfigOf = (user: UserName): string => join(folder.path, `${user}.kubeconfig`);
  for (const user of users) {
    const pieces = { server: server.url, caFile: server.caFile, token: tokens[user] };
    writeFileSync(kubeconfigOf(user), kubeconfigText(pieces), { mode: 0o600 });
  }
  return {
    name: "embedded",
    url: server.url,
    caFile: server.caFile,
    plane,
    server,
    kubeconfig: kubeconfigOf("admin"),
    kubeconfigOf,
    tokenOf: (user) => tokens[user],
    freeze: () => {
      isThawed = new Promise((resolve) => {
        thaw = resolve;
      });
    },
    thaw: () => thaw(),
    kill: () => server.down(),
    revive: () => server.up(),
    close: async () => {
      await plane.stop();
      await server.close();
      folder.remove();
    },
  };
}

const secret = (): string => randomBytes(16).toString("hex");

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
