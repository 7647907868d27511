/**
 * A person at a terminal: a running `dev`, a kubectl and dig. What the end-to-end tests say, they
 * say in these words.
 */
import { type DigAnswer, dig, digOnChange, valuesOf } from "../clients/dig.ts";
import { Kubectl, type KubectlVersion } from "../clients/kubectl.ts";
import { eventually } from "../ports/eventually.ts";
import { DevInstance } from "./dev-instance.ts";

/** An object as `kubectl -o json` prints it, with the parts that tests look at. */
export interface SeenObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** One session; everything it started ends with `close`. */
export class UserSession {
  readonly dev: DevInstance;
  readonly kubectl: Kubectl;
  readonly #dig = digOnChange();

  private constructor(dev: DevInstance, kubectl: Kubectl) {
    this.dev = dev;
    this.kubectl = kubectl;
  }

  /** Starts `dev` with `args` and gives the person a kubectl of that version. */
  static start(version: KubectlVersion, ...args: readonly string[]): Promise<UserSession> {
    return UserSession.startWith(version, {}, ...args);
  }

  /** As `start`; `env` is added to the environment of the test. */
  static async startWith(
    version: KubectlVersion,
    env: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): Promise<UserSession> {
    const dev = await DevInstance.startWith(env, ...args);
    return new UserSession(dev, new Kubectl(version, dev.ready().kubeconfig));
  }

  async close(): Promise<void> {
    await this.kubectl.close();
    await this.dev.remove();
  }

  /** `kubectl apply -f -`; returns what it printed. */
  apply(yaml: string): Promise<string> {
    return this.kubectl.ok(["apply", "-f", "-"], yaml);
  }

  /** The objects of a kind in namespace default. */
  async list(kind: string): Promise<readonly SeenObject[]> {
    const list = (await this.kubectl.json(["get", kind])) as {
      readonly items: readonly SeenObject[];
    };
    return list.items;
  }

  /** One object; throws when it is not there. */
  async get(kind: string, name: string): Promise<SeenObject> {
    return (await this.kubectl.json(["get", kind, name])) as SeenObject;
  }

  /** dig at the embedded server. */
  dig(name: string, type = "A", tcp = false): Promise<DigAnswer> {
    return dig({ port: this.dev.dnsPort, name, type, tcp });
  }

  /**
   * The rdata that the name answers with itself, sorted; a CNAME and what it leads to both count.
   */
  async answers(name: string, type = "A"): Promise<readonly string[]> {
    return valuesOf(await this.#dig({ port: this.dev.dnsPort, name, type }));
  }

  /** Waits until the name answers exactly this; an empty list = NODATA or NXDOMAIN. */
  async answersBecome(name: string, type: string, rdata: readonly string[]): Promise<void> {
    const wanted = JSON.stringify([...rdata].sort());
    await eventually(
      `${name} ${type} answers ${wanted}`,
      () => this.answers(name, type),
      (seen) => JSON.stringify(seen) === wanted,
    );
  }

  /** Waits until a DNSEntry has a state; returns the object. */
  entryBecomes(name: string, state: string): Promise<SeenObject> {
    return eventually(
      `dnsentry ${name} is ${state}`,
      () => this.get("dnse", name),
      ({ status }) => status?.["state"] === state,
    );
  }

  /** The SOA serial of the zone. */
  async serial(zone = "example.org"): Promise<number> {
    const [soa] = (await this.dig(zone, "SOA")).answer;
    return Number(soa?.rdata.split(" ")[2]);
  }

  /** The Secret of the embedded server as a key for nsupdate. */
  async embeddedKey() {
    const { data = {} } = await this.get("secret", "embedded");
    const text = (key: string): string => Buffer.from(data[key] ?? "", "base64").toString("utf8");
    return {
      name: text("TSIGKeyName").replace(/\.$/, ""),
      algorithm: text("TSIGSecretAlgorithm") || "hmac-sha256",
      secretBase64: text("TSIGSecret"),
    };
  }
}

/** A DNSEntry as YAML. */
export function dnsEntry(name: string, dnsName: string, ...lines: readonly string[]): string {
  return [
    "apiVersion: dns.gardener.cloud/v1alpha1",
    "kind: DNSEntry",
    `metadata: { name: ${name}, namespace: default }`,
    "spec:",
    `  dnsName: "${dnsName}"`,
    ...lines.map((line) => `  ${line}`),
    "",
  ].join("\n");
}
