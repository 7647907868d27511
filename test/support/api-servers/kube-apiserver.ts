/**
 * A real kube-apiserver on an etcd of its own: the judge of our control plane and of our client. No
 * controller runs beside it, so nothing collects garbage, empties namespaces or balances load. All
 * on 127.0.0.1, in one folder.
 */
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { provideReflectMetadata } from "../../../src/app/commands/process/certificates.ts";
import { claimPort, type FreePort } from "../ports/free-port.ts";
import { makeTempFolder, type TempFolder } from "../ports/temp-folder.ts";
import { Child, waitUntilReady } from "../programs/child.ts";
import type { ApiServer, UserName } from "./api-server.ts";
import { assetPath } from "./assets.ts";
import { HttpsCaller } from "./https-caller.ts";
import { crdsAreServed, installCrds } from "./install-crds.ts";
import { kubeconfigText } from "./kubeconfig-text.ts";

/** On a loaded machine; four seconds on an idle one. */

/** Plug-ins that want controllers or ServiceAccounts, or that only change Pods and volumes. */
const PLUGINS_OFF = [
  "ServiceAccount",
  "TaintNodesByCondition",
  "Priority",
  "DefaultTolerationSeconds",
  "DefaultStorageClass",
  "StorageObjectInUseProtection",
  "PersistentVolumeClaimResize",
  "RuntimeClass",
  "CertificateApproval",
  "CertificateSigning",
  "CertificateSubjectRestriction",
  "DefaultIngressClass",
];

/** A real one can do more than tests of both may ask for. */
export interface RealApiServer extends ApiServer {
  /**
   * Kills kube-apiserver and starts it again on the same etcd, port and tokens; resolves when it is
   * ready.
   */
  restart(): Promise<void>;
  /**
   * Has etcd forget all changes before now: watches and pages from before get 410 once
   * kube-apiserver's own cache has forgotten them too.
   */
  compact(): Promise<void>;
  /** What it has answered so far, where it was started with `audit`. */
  audited(): readonly AuditEvent[];
}

/** An answered request, as far as tests look at it (audit.k8s.io/v1 Event). */
export interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly responseStatus: { readonly code: number; readonly message?: string };
}

/** How it is started. */
export interface KubeApiServerOptions {
  /** It keeps an audit log. Default false. */
  readonly audit?: boolean;
}

/** Each request once, when it is answered; a watch when it ends. */
const AUDIT_POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived", "ResponseStarted"],
  rules: [{ level: "Metadata" }],
};

/**
 * Starts both, waits for /readyz and for the CRDs of deploy/crds. Throws with the end of the log.
 */
export async function startKubeApiServer(
  options: KubeApiServerOptions = {},
): Promise<RealApiServer> {
  const ports = [await claimPort(), await claimPort(), await claimPort()] as const;
  const server = new KubeApiServer(makeTempFolder("kube-apiserver"), ports, options);
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

type Ports = readonly [api: FreePort, etcd: FreePort, peer: FreePort];

class KubeApiServer implements RealApiServer {
  readonly name = "kube-apiserver";
  readonly url: string;
  readonly caFile: string;
  readonly kubeconfig: string;
  readonly #folder: TempFolder;
  readonly #ports: Ports;
  readonly #tokens = {
    admin: randomBytes(16).toString("hex"),
    controller: randomBytes(16).toString("hex"),
  };
  readonly #options: KubeApiServerOptions;
  #etcd: Child | null = null;
  #api: Child | null = null;

  constructor(folder: TempFolder, ports: Ports, options: KubeApiServerOptions) {
    this.#folder = folder;
    this.#ports = ports;
    this.#options = options;
    this.url = `https://127.0.0.1:${ports[0].port}`;
    this.caFile = join(folder.path, "ca.pem");
    this.kubeconfig = this.kubeconfigOf("admin");
  }

  kubeconfigOf(user: UserName): string {
    return join(this.#folder.path, `${user}.kubeconfig`);
  }

  tokenOf(user: UserName): string {
    return this.#tokens[user];
  }

  async start(): Promise<void> {
    await this.#writeFiles();
    this.#etcd = await this.#startEtcd();
    await this.#serve(installCrds);
  }

  freeze(): void {
    this.#api?.pause();
  }

  thaw(): void {
    this.#api?.resume();
  }

  /** Etcd stays. */
  async kill(): Promise<void> {
    await this.#api?.kill9();
  }

  async revive(): Promise<void> {
    await this.#serve(crdsAreServed);
  }

  /** Killed, because in good order it would wait for its watches first. */
  async restart(): Promise<void> {
    await this.kill();
    await this.revive();
  }

  /** By etcd's JSON gateway: etcd 3.4 Documentation/dev-guide/api_grpc_gateway.md. */
  async compact(): Promise<void> {
    const call = async (path: string, body: unknown): Promise<unknown> => {
      const url = `http://127.0.0.1:${this.#ports[1].port}/v3/kv/${path}`;
      const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`etcd ${path} answered ${answer.status}`);
      return answer.json();
    };
    const range = (await call("range", { key: "AA==" })) as {
      readonly header: { readonly revision: string };
    };
    await call("compaction", { revision: range.header.revision, physical: true });
  }

  audited(): readonly AuditEvent[] {
    const lines = readFileSync(this.#path("audit.log"), "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as AuditEvent);
  }

  /** Starts kube-apiserver and resolves when it is ready and `prepare` is done. */
  async #serve(prepare: (admin: HttpsCaller) => Promise<void>): Promise<void> {
    const child = await this.#startApi();
    this.#api = child;
    const admin = HttpsCaller.open(this.url, {
      caFile: this.caFile,
      token: this.tokenOf("admin"),
    });
    try {
      const isReady = async (): Promise<boolean> => (await admin.status("/readyz")) === 200;
      await waitUntilReady(child, isReady);
      await prepare(admin);
    } finally {
      admin.close();
    }
  }

  async close(): Promise<void> {
    await this.#api?.kill9();
    await this.#etcd?.kill9();
    for (const port of this.#ports) port.release();
    this.#folder.remove();
  }

  async #writeFiles(): Promise<void> {
    provideReflectMetadata();
    const { issueAuthority, issueServer } = await import(
      "../../../src/app/commands/process/issue-certificate.ts"
    );
    const validity = { nowMs: Date.now(), days: 2 };
    const ca = await issueAuthority(validity);
    const pair = await issueServer(ca, { ...validity, hosts: ["127.0.0.1"] });
    writeFileSync(this.caFile, ca.certificate);
    this.#write("server.pem", pair.certificate);
    this.#write("server.key", pair.key);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    this.#write("accounts.key", privateKey.export({ type: "pkcs1", format: "pem" }).toString());
    this.#write("audit.json", JSON.stringify(AUDIT_POLICY));
    const { admin, controller } = this.#tokens;
    const users = [
      `${admin},admin,${randomUUID()},system:masters`,
      `${controller},controller,${randomUUID()},controllers`,
    ];
    this.#write("tokens.csv", `${users.join("\n")}\n`);
    for (const user of ["admin", "controller"] as const) {
      const pieces = { server: this.url, caFile: this.caFile, token: this.tokenOf(user) };
      this.#write(`${user}.kubeconfig`, kubeconfigText(pieces));
    }
  }

  #startEtcd(): Promise<Child> {
    const [, client, peer] = this.#ports;
    const clients = `http://127.0.0.1:${client.port}`;
    const peers = `http://127.0.0.1:${peer.port}`;
    mkdirSync(this.#path("etcd"), { mode: 0o700 });
    const args = [
      ["--data-dir", this.#path("etcd")],
      ["--listen-client-urls", clients],
      ["--advertise-client-urls", clients],
      ["--listen-peer-urls", peers],
      ["--initial-advertise-peer-urls", peers],
      ["--initial-cluster", `default=${peers}`],
      ["--unsafe-no-fsync"],
    ].flat();
    return Child.start({
      command: assetPath("etcd"),
      args,
      logFile: this.#path("etcd.log"),
      env: { ETCD_UNSUPPORTED_ARCH: process.arch },
    });
  }

  #startApi(): Promise<Child> {
    const [api, etcd] = this.#ports;
    const accounts = this.#path("accounts.key");
    const flags = {
      "etcd-servers": `http://127.0.0.1:${etcd.port}`,
      "bind-address": "127.0.0.1",
      "advertise-address": "127.0.0.1",
      "secure-port": api.port,
      "tls-cert-file": this.#path("server.pem"),
      "tls-private-key-file": this.#path("server.key"),
      "service-account-issuer": this.url,
      "service-account-signing-key-file": accounts,
      "service-account-key-file": accounts,
      "api-audiences": "api",
      "token-auth-file": this.#path("tokens.csv"),
      "authorization-mode": "RBAC",
      "service-cluster-ip-range": "10.0.0.0/16",
      "disable-admission-plugins": PLUGINS_OFF.join(),
      "enable-priority-and-fairness": false,
      "endpoint-reconciler-type": "none",
      profiling: false,
      "event-ttl": "1h",
      v: 1,
      ...(this.#options.audit === true ? this.#auditFlags() : {}),
    };
    return Child.start({
      command: assetPath("kube-apiserver"),
      args: Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
      cwd: this.#folder.path,
      logFile: this.#path("kube-apiserver.log"),
    });
  }

  #auditFlags(): Readonly<Record<string, string>> {
    return {
      "audit-policy-file": this.#path("audit.json"),
      "audit-log-path": this.#path("audit.log"),
    };
  }

  #path(name: string): string {
    return join(this.#folder.path, name);
  }

  #write(name: string, text: string): void {
    writeFileSync(this.#path(name), text, { mode: 0o600 });
  }
}
