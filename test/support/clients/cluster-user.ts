/**
 * A person with a kubectl in namespace default: what end-to-end tests do to a cluster and look for
 * in it.
 */
import type { HttpsCaller } from "../api-servers/https-caller.ts";
import { eventually, PATIENCE_MS } from "../ports/eventually.ts";
import type { SeenObject } from "../programs/user-session.ts";
import type { Kubectl } from "./kubectl.ts";
import { applyLines, deleteObjects, getObject, listObjects, pathOf } from "./kubectl-requests.ts";

const EVENTS = "/api/v1/namespaces/default/events";

/** Milliseconds without a write after which nothing more is expected. */
const QUIET_MS = 3_000;

/** What a status says. */
export interface SeenStatus {
  readonly state: string;
  readonly message: string;
}

/** Speaks to one cluster. */
export class ClusterUser {
  readonly kubectl: Kubectl;
  readonly #caller: HttpsCaller | null;

  /** With a `caller`, what kubectl would do with a request or two is done by it. */
  constructor(kubectl: Kubectl, caller: HttpsCaller | null = null) {
    this.kubectl = kubectl;
    this.#caller = kubectl.version === "1.32" ? caller : null;
  }

  /** `kubectl apply -f -`; throws unless it succeeds. */
  async apply(text: string): Promise<string> {
    const printed = this.#caller && (await applyLines(this.#caller, text));
    return printed ?? this.kubectl.ok(["apply", "-f", "-"], text);
  }

  /** `kubectl apply -f -` that must be refused; returns what it says on standard error. */
  async refused(text: string): Promise<string> {
    const { code, stderr, stdout } = await this.kubectl.run(["apply", "-f", "-"], text);
    if (code === 0) throw new Error(`accepted: ${stdout}`);
    return stderr;
  }

  /** `kubectl delete`, waiting until the object is gone. */
  async delete(kind: string, ...names: readonly string[]): Promise<void> {
    if (this.#caller && (await deleteObjects(this.#caller, kind, names))) return;
    await this.kubectl.ok(["delete", kind, ...names, `--timeout=${PATIENCE_MS}ms`]);
  }

  /** Throws when it is not there. */
  async get(kind: string, name: string): Promise<SeenObject> {
    const seen = this.#caller && (await getObject(this.#caller, kind, name));
    return seen ?? ((await this.kubectl.json(["get", kind, name])) as SeenObject);
  }

  /** State and message of a DNSEntry or DNSProvider; empty texts before the first one. */
  async status(kind: string, name: string): Promise<SeenStatus> {
    const { status = {} } = await this.get(kind, name);
    return { state: String(status["state"] ?? ""), message: String(status["message"] ?? "") };
  }

  /** Waits for a state with a message like that; returns the message. */
  async becomes(kind: string, name: string, state: string, message = /(?:)/): Promise<string> {
    const seen = await eventually(
      `${kind} ${name} is ${state} with ${message}`,
      () => this.status(kind, name),
      (status) => status.state === state && message.test(status.message),
    );
    return seen.message;
  }

  /** Waits for an Event about an object whose text fits; returns that text. */
  async reported(kind: string, name: string, message: RegExp): Promise<string> {
    const seen = await eventually(
      `an Event of ${kind} ${name} like ${message}`,
      () => this.events(kind, name),
      (texts) => texts.some((text) => message.test(text)),
    );
    return seen.find((text) => message.test(text)) ?? "";
  }

  /** `Reason: message` of the Events about an object. */
  async events(kind: string, name: string): Promise<readonly string[]> {
    const about = `involvedObject.kind=${kind},involvedObject.name=${name}`;
    const read = (): Promise<unknown> =>
      this.#caller === null
        ? this.kubectl.json(["get", "events", "--field-selector", about])
        : this.#caller.json("GET", `${EVENTS}?fieldSelector=${encodeURIComponent(about)}`);
    const list = (await read()) as {
      readonly items: readonly { readonly reason?: string; readonly message?: string }[];
    };
    return list.items.map(({ reason = "", message = "" }) => `${reason}: ${message}`);
  }

  /** All objects of these kinds. */
  async list(...kinds: readonly string[]): Promise<readonly SeenObject[]> {
    const seen = this.#caller && (await listObjects(this.#caller, kinds));
    if (seen) return seen;
    const list = await this.kubectl.json(["get", kinds.join(), "-A"]);
    return (list as { readonly items: readonly SeenObject[] }).items;
  }

  /** `kind namespace/name resourceVersion` of all objects of these kinds. */
  async versions(...kinds: readonly string[]): Promise<readonly string[]> {
    return (await this.list(...kinds)).map(
      ({ kind, metadata: { namespace, name, resourceVersion } }) =>
        [kind, `${namespace}/${name}`, resourceVersion].join(" "),
    );
  }

  /** Waits until no object of these kinds is written any more; returns their versions. */
  async rests(...kinds: readonly string[]): Promise<readonly string[]> {
    const read = () => this.versions(...kinds);
    const [, after] = await eventually(
      `no ${kinds.join()} is written`,
      async () => {
        const before = await read();
        await new Promise((wake) => setTimeout(wake, QUIET_MS));
        return [before, await read()];
      },
      ([before, after]) => JSON.stringify(before) === JSON.stringify(after),
    );
    return after ?? [];
  }

  /**
   * Plays the load balancer: addresses of a Service or Ingress (`namespace/name`, or a name in
   * `default`); none = not yet.
   */
  async balance(kind: string, path: string, ...addresses: readonly string[]): Promise<void> {
    const status = { loadBalancer: { ingress: addresses.map((ip) => ({ ip })) } };
    const [namespace = "", name = ""] = path.includes("/") ? path.split("/") : ["default", path];
    const to = pathOf(kind, namespace, `${name}/status`);
    if (this.#caller && to) return void (await this.#caller.patch(to, { status }));
    if (this.kubectl.version === "1.20" && to) return this.#replaceStatus(to, status);
    const how = ["--subresource=status", "--type=merge", "-p", JSON.stringify({ status })];
    await this.kubectl.ok(["patch", kind, name, "-n", namespace, ...how]);
  }

  /** Kubectl 1.20 cannot patch a status. */
  async #replaceStatus(path: string, status: object): Promise<void> {
    const replace = async () => {
      const object = JSON.parse(await this.kubectl.ok(["get", "--raw", path])) as object;
      const how = ["replace", "--raw", path, "-f", "-"];
      return this.kubectl.run(how, JSON.stringify({ ...object, status }));
    };
    await eventually(`the status of ${path} is replaced`, replace, ({ code, stderr }) => {
      if (code !== 0 && !stderr.includes("Conflict")) throw new Error(stderr);
      return code === 0;
    });
  }
}
