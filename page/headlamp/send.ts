/**
 * The way of the plugin to an instance: that of `kubectl zonekeeper`, through Headlamp, with the
 * rights that its user has. Nothing is ever written.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { HttpClient } from "@zonekeeper/base/ports/http";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { PodWay } from "../../src/app/commands/ask/in-cluster/pod-way.ts";
import { RealClock } from "../../src/app/ports/real-clock.ts";
import { ApiError, type Send } from "../api.ts";

const SELECTOR = "app.kubernetes.io/name=zonekeeper";
const TIMEOUT_MS = 30_000;

const senders = new Map<string, Send>();

/** One for each cluster of Headlamp; undefined = the one that is shown. Rejects with ApiError. */
export function senderTo(cluster: string | undefined): Send {
  const known = senders.get(cluster ?? "");
  if (known !== undefined) return known;
  const sender = newSender(cluster);
  senders.set(cluster ?? "", sender);
  return sender;
}

/** Looks for the instance when it is first asked, and again after it did not answer. */
function newSender(cluster: string | undefined): Send {
  const http = through(cluster);
  const api = new ApiClient({ http, clock: new RealClock() });
  const any = { kubeconfig: null, context: null, namespace: null, selector: SELECTOR };
  let found: ReturnType<PodWay["toLeader"]> | null = null;
  return async (path) => {
    found ??= new PodWay({ http, api, origin: cluster ?? "the cluster" }).toLeader(any);
    try {
      const request = { path: `/api/v1/${path}`, method: "GET", timeoutMs: TIMEOUT_MS };
      const { text, status } = await (await found).send(request);
      // 503 = it does not lead any more.
      if (status === 503) found = null;
      return new Response(text, { status });
    } catch (error) {
      found = null;
      if (!(error instanceof OperationError)) throw error;
      throw new ApiError(error.code, error.message, 0);
    }
  };
}

/** Headlamp answers a refusal by an Error with its status, and the body's message in its own. */
function through(cluster: string | undefined): HttpClient {
  return {
    close: () => undefined,
    request: async ({ method, path, headers, signal }) => {
      if (method !== "GET") throw new Error("the plugin only reads");
      const of = cluster === undefined ? {} : { cluster };
      const asked = { headers: { ...headers }, signal, isJSON: false, timeout: TIMEOUT_MS, ...of };
      const response = await pluginLib.ApiProxy.request(path, { ...asked, isJSON: false }, false)
        // Our own 401 must not end the session of Headlamp: hence `false`.
        .catch(refusal);
      const body = new Uint8Array(await response.arrayBuffer());
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: (async function* () {
          yield body;
        })(),
      };
    },
  };
}

/** Whose answer it is nobody can tell from the Error; a lack of rights is the API server's. */
function refusal(error: unknown): Response {
  const { status } = error as { status?: unknown };
  if (typeof status !== "number") throw error;
  const by = status === 403 ? { kind: "Status" } : { code: "HttpError" };
  return new Response(JSON.stringify({ ...by, message: messageOf(error) }), { status });
}
