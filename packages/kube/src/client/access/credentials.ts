/**
 * What a request needs to be let in: TLS material and the authorization header, from data, files or
 * a plugin, fresh. Files and programs are reached through ports; no secret gets into an error.
 */
import { base64Text } from "@zonekeeper/base/bytes";
import { jsonIn } from "@zonekeeper/base/json-text";
import { type OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type Fields, fieldsOf, isFields, textOf } from "../../objects/object-fields.ts";
import type { ClusterAccess, ExecConfig } from "./cluster-access.ts";

/** A program to run. */
export interface ExecCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the program's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** How a program ended. */
export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
}

/** The ports of credentials; app provides them. */
export interface CredentialPorts {
  /** The file as text. Rejects with an error whose message names the path. */
  readFile(path: string): Promise<string>;
  /**
   * Runs a program without a terminal; its stderr goes to the stderr of this program. Rejects when
   * it cannot be started or takes too long.
   */
  exec(command: ExecCommand): Promise<ExecResult>;
  readonly clock: Clock;
}

/** For the TLS connection; texts are PEM. Fits the real HttpClient's `tls` option. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly insecureSkipVerify?: boolean;
}

/** Service account tokens are renewed by the kubelet long before they end. */
const TOKEN_FILE_AGE_MS = 60_000;
const EXEC_TIMEOUT_MS = 60_000;
/**
 * A credential is renewed this long before it expires, so that it cannot expire while a request is
 * on its way.
 */
const EXPIRY_MARGIN_MS = 10_000;

/**
 * The credentials of one access. Safe for concurrent use: all who ask wait for one run of a plugin,
 * unless `invalidate` comes while it runs.
 */
export class ClusterCredentials {
  readonly #access: ClusterAccess;
  readonly #ports: CredentialPorts;
  #generation = 0;
  #tokenFile: { readonly token: string; readonly readAtMs: number } | null = null;
  #exec: { readonly credential: Promise<ExecCredential>; endsAtMs: number } | null = null;

  constructor(access: ClusterAccess, ports: CredentialPorts) {
    this.#access = access;
    this.#ports = ports;
  }

  /** Reads files and asks the plugin if it must. Throws OperationError `NoCredential`. */
  async tls(): Promise<TlsMaterial> {
    const access = this.#access;
    const ca = await this.#dataOrFile(access.caData, access.caFile);
    const fromExec = await this.#execIfNeeded();
    const cert =
      fromExec?.clientCertificateData ??
      (await this.#dataOrFile(access.clientCertificateData, access.clientCertificateFile));
    const key =
      fromExec?.clientKeyData ??
      (await this.#dataOrFile(access.clientKeyData, access.clientKeyFile));
    return {
      ...(ca === null ? {} : { ca }),
      ...(cert === null ? {} : { cert }),
      ...(key === null ? {} : { key }),
      ...(access.tlsServerName === null ? {} : { servername: access.tlsServerName }),
      ...(access.insecureSkipTlsVerify ? { insecureSkipVerify: true } : {}),
    };
  }

  /**
   * The value of the authorization header; null = none (client certificate). Throws OperationError
   * `NoCredential`.
   */
  async authorization(): Promise<string | null> {
    const { tokenFile, token, username, password } = this.#access;
    if (tokenFile !== null) return `Bearer ${await this.#tokenFrom(tokenFile)}`;
    if (token !== null) return `Bearer ${token}`;
    // RFC 7617 §2, with UTF-8.
    if (username !== null) return `Basic ${base64Text(`${username}:${password ?? ""}`)}`;
    const credential = await this.#execIfNeeded();
    return credential?.token ? `Bearer ${credential.token}` : null;
  }

  /**
   * Rises with each `invalidate` that had an effect. The caller notes it before it sends a request.
   */
  get generation(): number {
    return this.#generation;
  }

  /**
   * The server answered 401 to a request of that generation: its cached credentials are not used
   * again. Of many requests that were refused together only the first has an effect, so that a
   * plugin runs once for all.
   */
  invalidate(generation: number): void {
    if (generation !== this.#generation) return;
    this.#generation += 1;
    this.#tokenFile = null;
    this.#exec = null;
  }

  async #dataOrFile(data: string | null, file: string | null): Promise<string | null> {
    return data ?? (file === null ? null : await this.#read(file));
  }

  async #tokenFrom(path: string): Promise<string> {
    const nowMs = this.#ports.clock.monotonicMs();
    const known = this.#tokenFile;
    if (known !== null && nowMs - known.readAtMs < TOKEN_FILE_AGE_MS) return known.token;
    const token = (await this.#read(path)).trim();
    if (token === "") throw this.#noCredential(`the token file ${path} is empty`);
    this.#tokenFile = { token, readAtMs: nowMs };
    return token;
  }

  async #read(path: string): Promise<string> {
    try {
      return await this.#ports.readFile(path);
    } catch (cause) {
      throw this.#noCredential(`the file ${path} cannot be read`, cause);
    }
  }

  async #execIfNeeded(): Promise<ExecCredential | null> {
    const { exec, token, tokenFile, username } = this.#access;
    if (exec === null || token !== null || tokenFile !== null || username !== null) return null;
    const nowMs = this.#ports.clock.nowMs();
    const known = this.#exec;
    if (known !== null && nowMs < known.endsAtMs) return known.credential;
    const running = { credential: this.#run(exec), endsAtMs: Number.POSITIVE_INFINITY };
    this.#exec = running;
    try {
      const credential = await running.credential;
      if (credential.expiresAtMs !== null) {
        running.endsAtMs = credential.expiresAtMs - EXPIRY_MARGIN_MS;
      }
      return credential;
    } catch (error) {
      if (this.#exec === running) this.#exec = null;
      throw error;
    }
  }

  async #run(exec: ExecConfig): Promise<ExecCredential> {
    const ca = exec.provideClusterInfo
      ? await this.#dataOrFile(this.#access.caData, this.#access.caFile)
      : null;
    const env = { ...exec.env, KUBERNETES_EXEC_INFO: execInfo(exec, this.#access, ca) };
    const { command, args, installHint } = exec;
    let result: ExecResult;
    try {
      result = await this.#ports.exec({ command, args, env, timeoutMs: EXEC_TIMEOUT_MS });
    } catch (cause) {
      const hint = installHint === "" ? "" : `; ${installHint}`;
      throw this.#noCredential(`the plugin ${command} cannot be run${hint}`, cause);
    }
    if (result.exitCode !== 0) {
      throw this.#noCredential(`the plugin ${command} ended with exit code ${result.exitCode}`);
    }
    const credential = parseExecCredential(exec, result.stdout);
    if (!credential.ok) throw this.#noCredential(`the plugin ${command}: ${credential.error}`);
    return credential.value;
  }

  #noCredential(why: string, cause?: unknown): OperationError {
    return retryable("NoCredential", `${this.#access.origin}: ${why}`, cause);
  }
}

// The protocol of credential plugins: their environment, and how their output is parsed. Pure.

/** The credential of a plugin. */
interface ExecCredential {
  readonly token: string | null;
  /** PEM; both or none. */
  readonly clientCertificateData: string | null;
  readonly clientKeyData: string | null;
  /** Unix milliseconds; null = unknown. */
  readonly expiresAtMs: number | null;
}

/** The value of KUBERNETES_EXEC_INFO (client-go credential plugins, "Input and output formats"). */
function execInfo(exec: ExecConfig, access: ClusterAccess, ca: string | null): string {
  const cluster = {
    server: access.server,
    ...(access.tlsServerName === null ? {} : { "tls-server-name": access.tlsServerName }),
    ...(access.insecureSkipTlsVerify ? { "insecure-skip-tls-verify": true } : {}),
    ...(ca === null ? {} : { "certificate-authority-data": base64Text(ca) }),
    ...(access.proxyUrl === null ? {} : { "proxy-url": access.proxyUrl }),
  };
  return JSON.stringify({
    apiVersion: exec.apiVersion,
    kind: "ExecCredential",
    spec: { interactive: false, ...(exec.provideClusterInfo ? { cluster } : {}) },
  });
}

/** The credential in a plugin's output. The error never quotes the output. */
function parseExecCredential(exec: ExecConfig, stdout: string): Result<ExecCredential> {
  const answer = jsonIn(stdout);
  if (!isFields(answer) || answer["kind"] !== "ExecCredential") {
    return fail("its output is no ExecCredential");
  }
  if (answer["apiVersion"] !== exec.apiVersion) {
    return fail(`its output is not of apiVersion ${exec.apiVersion}`);
  }
  return credentialOf(fieldsOf(answer["status"]));
}

function credentialOf(status: Fields): Result<ExecCredential> {
  const expiry = status["expirationTimestamp"] ?? null;
  const credential = {
    token: textOf(status["token"]),
    clientCertificateData: textOf(status["clientCertificateData"]),
    clientKeyData: textOf(status["clientKeyData"]),
    expiresAtMs: expiry === null ? null : Date.parse(textOf(expiry) ?? ""),
  };
  const { token, clientCertificateData, clientKeyData, expiresAtMs } = credential;
  if ((clientCertificateData === null) !== (clientKeyData === null)) {
    return fail("it gave a client certificate without its key, or the key alone");
  }
  if (token === null && clientCertificateData === null) {
    return fail("it gave neither a token nor a client certificate");
  }
  if (Number.isNaN(expiresAtMs)) return fail("its expirationTimestamp is no RFC 3339 time");
  return ok(credential);
}
