/**
 * Sends requests through the API server (`pods/proxy`) to the Pod that leads, with the token of the
 * Secret that this Pod mounts. For a command, and for the plugin of Headlamp in a browser. Writes
 * nothing to the cluster itself; an order is sent to one Pod once.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { messageOf, OperationError, permanent, retryable } from "@zonekeeper/base/operation-error";
import type { HttpClient, HttpResponse } from "@zonekeeper/base/ports/http";
import type { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { ApiError } from "@zonekeeper/kube/client/requests/api-error";
import { resourcePath } from "@zonekeeper/kube/client/requests/api-path";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, isFields, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterDoorConfig } from "../../../../config/client-options.ts";
import { printable } from "../../../../model/printable.ts";
import { TOKEN_HEADER } from "../../../api/exchange.ts";
import { holderAmong, type InstancePod, installationIn, type SecretKey } from "./instance-pods.ts";

const PODS: KindRef = { group: "", version: "v1", plural: "pods", kind: "Pod", namespaced: true };
const SECRETS: KindRef = { ...PODS, plural: "secrets", kind: "Secret" };
const GUIDE = "docs/guides/kubectl-plugin.md has the Role";
/** Finds out whether a Pod leads, at no cost for it. */
const LEADING: DoorRequest = { path: "/api/v1/leading", method: "GET", timeoutMs: 10_000 };

interface WayOptions {
  readonly http: HttpClient;
  readonly api: ApiClient;
  /** The kubeconfig, for messages. */
  readonly origin: string;
}

/** There is one for each command, or for each cluster that a browser shows. */
export class PodWay {
  readonly #options: WayOptions;
  /** Tokens by Secret (`NAMESPACE/NAME`): replicas share one. */
  readonly #tokens = new Map<string, string>();

  constructor(options: WayOptions) {
    this.#options = options;
  }

  /**
   * Asks the Pods one after the other; a standby says which one leads. Throws OperationError:
   * `NoInstance`, `SeveralInstances`, `Forbidden`, `NoApiToken` or what the Pods answered.
   */
  async toLeader(config: ClusterDoorConfig): Promise<Door> {
    const pods = installationIn(await this.#list(config), config);
    const waiting = [...pods];
    const asked = new Set<InstancePod>();
    const troubles: string[] = [];
    for (let pod = waiting.shift(); pod !== undefined; pod = waiting.shift()) {
      if (asked.has(pod)) continue;
      asked.add(pod);
      const found = await this.#send(pod, LEADING).catch(unreached);
      if (found instanceof Unreached) {
        troubles.push(found.message);
        continue;
      }
      if (found.status === 200)
        return {
          where: `Pod ${nameOf(pod)}`,
          send: (request) => this.#send(pod, request),
          close: () => this.#options.http.close(),
        };
      const { message, leader } = fieldsOf(jsonIn(found.text));
      troubles.push(`Pod ${nameOf(pod)}: ${textOf(message) ?? `HTTP ${found.status}`}`);
      const holder = holderAmong(pods, textOf(leader) ?? "");
      if (holder !== null) waiting.unshift(holder);
    }
    throw retryable("NoInstance", printable(troubles.join("; ")));
  }

  /**
   * A token that is refused may have been changed since it was read: it is read again, and the
   * request is sent again only with another token.
   */
  async #send(pod: InstancePod, request: DoorRequest): Promise<DoorReply> {
    const known = await this.#token(pod);
    const reply = await this.#ask(pod, request, known);
    if (reply.status !== 401) return reply;
    this.#tokens.clear();
    const again = await this.#token(pod);
    const second = again === known ? reply : await this.#ask(pod, request, again);
    if (second.status !== 401) return second;
    throw new Unreached(
      `Pod ${nameOf(pod)} does not take the token of the Secret ${pod.namespace}/${pod.secret?.name ?? ""}: if it was changed just now, the kubelet brings it to the Pod within two minutes`,
    );
  }

  async #ask(pod: InstancePod, request: DoorRequest, token: string): Promise<DoorReply> {
    const { path, method, timeoutMs, body } = request;
    const { namespace, name, port } = pod;
    const json = body === undefined ? {} : { "content-type": "application/json" };
    try {
      const response = await this.#options.http.request({
        method,
        path: `/api/v1/namespaces/${namespace}/pods/https:${name}:${port}/proxy${path}`,
        headers: { [TOKEN_HEADER]: token, ...json },
        body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const reply = await read(response);
      if (response.status >= 400) refuse(pod, method, reply);
      return reply;
    } catch (error) {
      if (error instanceof Unreached || error instanceof Refused) throw error;
      throw new Unreached(`Pod ${nameOf(pod)}: ${messageOf(error)}${afterLoss(method)}`);
    }
  }

  async #list({ namespace, selector }: ClusterDoorConfig): Promise<unknown> {
    const query = { labelSelector: selector };
    const path = resourcePath(PODS, namespace === null ? { query } : { namespace, query });
    const remedy =
      namespace === null
        ? `name the namespace of the installation with -n, or get the right to list pods in all; ${GUIDE}`
        : `it needs the right to list pods there; ${GUIDE}`;
    return this.#get(path, { subject: `pods -l ${selector}`, kind: PODS, remedy });
  }

  async #token(pod: InstancePod): Promise<string> {
    const { namespace, secret } = pod;
    if (secret === null)
      throw noToken(
        `Pod ${nameOf(pod)} mounts no Secret where it reads its token (--api-token-file): mount one there (api.existingSecret of the chart)`,
      );
    const subject = `${namespace}/${secret.name}`;
    const known = this.#tokens.get(subject);
    if (known !== undefined) return known;
    const token = await this.#readToken(namespace, secret);
    this.#tokens.set(subject, token);
    return token;
  }

  async #readToken(namespace: string, { name, key }: SecretKey): Promise<string> {
    const remedy = `it needs the right to get this Secret; ${GUIDE}`;
    const path = resourcePath(SECRETS, { namespace, name });
    const asked = { subject: `secrets ${namespace}/${name}`, kind: SECRETS, remedy };
    const make = `kubectl -n ${namespace} create secret generic ${name} --from-literal=${key}=$(openssl rand -hex 24) makes one; the Pod takes it within two minutes`;
    const secret = await this.#get(path, asked).catch((error: unknown) => {
      if (!(error instanceof OperationError) || error.code !== "NotFound") throw error;
      throw noToken(
        `the Secret ${namespace}/${name}, which the Pod mounts, does not exist: ${make}`,
      );
    });
    const value = textOf(fieldsOf(fieldsOf(secret)["data"])[key]) ?? "";
    const token = fromBase64(value).trim();
    // Only such a text can be sent in a header; the Pod checks the rest.
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw noToken(
      `the Secret ${namespace}/${name} has no token in its key ${key}, or one that is no plain text: delete it, then ${make}`,
    );
  }

  async #get(
    path: string,
    { remedy, ...asked }: { readonly subject: string; kind: KindRef; remedy: string },
  ): Promise<unknown> {
    try {
      return await this.#options.api.json({ method: "GET", path, ...asked });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, retry } = error;
      const more = code === "Forbidden" ? `: ${remedy}` : "";
      const message = `${this.#options.origin}: ${error.message}${more}`;
      throw new OperationError({ code, message, retry, cause: error });
    }
  }
}

/** This Pod could not be asked; another one may answer. */
class Unreached extends OperationError {
  constructor(message: string) {
    super({ code: "NoInstance", message, retry: "backoff" });
  }
}

/** This user may ask no Pod. */
class Refused extends OperationError {
  constructor(message: string) {
    super({ code: "Forbidden", message, retry: "never" });
  }
}

function unreached(error: unknown): Unreached {
  if (error instanceof Unreached) return error;
  throw error;
}

/** Throws where the API server has answered in place of the Pod. */
function refuse(pod: InstancePod, method: string, { status, text }: DoorReply): void {
  const answer = jsonIn(text);
  const isInstance =
    isFields(answer) && answer["kind"] !== "Status" && textOf(answer["code"]) !== null;
  if (isInstance) return;
  const why = printable(textOf(fieldsOf(answer)["message"]) ?? text.slice(0, 200).trim());
  if (status === 403) {
    const verb = method === "GET" ? "get" : "create";
    throw new Refused(
      `Pod ${nameOf(pod)}: ${why}: it needs the right to ${verb} pods/proxy there; ${GUIDE}`,
    );
  }
  throw new Unreached(
    `Pod ${nameOf(pod)} was not reached by the API server: ${why} (HTTP ${status})${afterLoss(method)}`,
  );
}

/** An order whose answer is lost may have been carried out. */
function afterLoss(method: string): string {
  return method === "GET" ? "" : ". Look with kubectl zonekeeper plan before you give it again";
}

async function read({ status, headers, body }: HttpResponse): Promise<DoorReply> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return { status, headers: new Headers(headers), text: text + decoder.decode() };
}

/** Empty where the text is no base64, which an API server never sends. */
function fromBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}

function noToken(message: string): OperationError {
  return permanent("NoApiToken", message);
}

function nameOf({ namespace, name }: InstancePod): string {
  return `${namespace}/${name}`;
}

/** A question or order. */
export interface DoorRequest {
  /** With query, beginning with `/`. */
  readonly path: string;
  readonly method: string;
  readonly timeoutMs: number;
  /** Sent as JSON; absent = none. */
  readonly body?: object | undefined;
}

/** The answer of the instance, whatever its status. */
export interface DoorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The connection to one instance. */
export interface Door {
  /** Name of the instance, for messages. */
  readonly where: string;
  /** Rejects with OperationError when the instance did not answer. */
  send(request: DoorRequest): Promise<DoorReply>;
  close(): void;
}
