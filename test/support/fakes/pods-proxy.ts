/**
 * The part of an API server that `kubectl zonekeeper` uses: Pods by label, one Secret by name, and
 * `pods/proxy` as Kubernetes documents it (authorization is the API server's own and not passed on,
 * any certificate will do, status and headers come back as they are). The real one is asked in
 * test/real/kubectl-plugin.test.ts.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { request as askTls } from "node:https";
import type { AddressInfo } from "node:net";

/** A Pod and where its port really is. */
export interface FakePod {
  /** As the API shows it. */
  readonly object: {
    readonly metadata: {
      readonly namespace: string;
      readonly name: string;
      readonly labels?: Readonly<Record<string, string>>;
    };
  };
  /** On 127.0.0.1. */
  readonly port: number;
}

const PROXY = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/https:([^:/]+):(\d+)\/proxy(\/.*)?$/;
const PODS = /^\/api\/v1(?:\/namespaces\/([^/?]+))?\/pods\?labelSelector=([^&]+)$/;
const SECRET = /^\/api\/v1\/namespaces\/([^/]+)\/secrets\/([^/?]+)$/;

/** Listens on 127.0.0.1 until `close`. */
export class FakePodsProxy {
  readonly pods: FakePod[] = [];
  /** By `NAMESPACE/NAME`: the data in plain text. */
  readonly secrets = new Map<string, Readonly<Record<string, string>>>();
  /** Rights that the user lacks: `list pods`, `get secrets`, `create pods/proxy`. */
  readonly lacking = new Set<string>();
  /** `METHOD NAMESPACE/POD /path` of what went to Pods. */
  readonly passed: string[] = [];
  /** After a Secret was sent. */
  onSecretRead: () => void = () => {};
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  static async open(): Promise<FakePodsProxy> {
    const fake = new FakePodsProxy();
    await new Promise<void>((done) => fake.#server.listen(0, "127.0.0.1", done));
    return fake;
  }

  /** Text of a kubeconfig that leads to it: contexts `here`, which is current, and `nowhere`. */
  kubeconfig(): string {
    const { port } = this.#server.address() as AddressInfo;
    const cluster = (name: string, server: string) => ({ name, cluster: { server } });
    const context = (name: string) => ({ name, context: { cluster: name, user: "me" } });
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "here",
      clusters: [
        cluster("here", `http://127.0.0.1:${port}`),
        cluster("nowhere", "http://127.0.0.1:1"),
      ],
      users: [{ name: "me", user: { token: "of-the-user" } }],
      contexts: [context("here"), context("nowhere")],
    });
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((done) => this.#server.close(() => done()));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { method = "", url = "" } = request;
    const pods = PODS.exec(url);
    const secret = SECRET.exec(url);
    const proxied = PROXY.exec(url);
    if (request.headers.authorization !== "Bearer of-the-user")
      refuse(response, 401, "Unauthorized");
    else if (pods !== null) this.#list(response, pods[1], decodeURIComponent(pods[2] ?? ""));
    else if (secret !== null) this.#secret(response, `${secret[1]}/${secret[2]}`);
    else if (proxied !== null) this.#pass(method, proxied, request, response);
    else refuse(response, 404, "the server could not find the requested resource");
  }

  #list(response: ServerResponse, namespace: string | undefined, selector: string): void {
    if (this.#isForbidden(response, "list pods")) return;
    const wanted = selector.split(",").map((one) => one.split("="));
    const items = this.pods
      .map(({ object }) => object)
      .filter(
        ({ metadata: { namespace: at, labels = {} } }) =>
          (namespace === undefined || namespace === at) &&
          wanted.every(([key = "", value]) => labels[key] === value),
      );
    send(response, 200, { kind: "PodList", apiVersion: "v1", items });
  }

  #secret(response: ServerResponse, name: string): void {
    if (this.#isForbidden(response, "get secrets")) return;
    const secret = this.secrets.get(name);
    if (secret === undefined) {
      refuse(response, 404, `secrets "${name}" not found`);
      return;
    }
    const data = Object.fromEntries(
      Object.entries(secret).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
    );
    send(response, 200, { kind: "Secret", apiVersion: "v1", data });
    this.onSecretRead();
  }

  #pass(
    method: string,
    [, namespace, name, , path = "/"]: RegExpExecArray,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    if (this.#isForbidden(response, `${method === "GET" ? "get" : "create"} pods/proxy`)) return;
    const pod = this.pods.find(
      ({ object: { metadata } }) => metadata.namespace === namespace && metadata.name === name,
    );
    if (pod === undefined) {
      refuse(response, 404, `pods "${name}" not found`);
      return;
    }
    this.passed.push(`${method} ${namespace}/${name} ${path}`);
    const { authorization: _taken, ...headers } = request.headers;
    const passed = askTls(
      { host: "127.0.0.1", port: pod.port, method, path, headers, rejectUnauthorized: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.once("error", (error) =>
      refuse(response, 503, `error trying to reach service: ${error.message}`),
    );
    request.pipe(passed);
  }

  #isForbidden(response: ServerResponse, right: string): boolean {
    if (!this.lacking.has(right)) return false;
    const [verb, resource] = right.split(" ");
    refuse(
      response,
      403,
      `forbidden: User "me" cannot ${verb} resource "${resource}" in API group ""`,
    );
    return true;
  }
}

function refuse(response: ServerResponse, code: number, message: string): void {
  send(response, code, { kind: "Status", apiVersion: "v1", status: "Failure", code, message });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
