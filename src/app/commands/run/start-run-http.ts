/**
 * The HTTP sides of `run`, from the first moment on, since probes must not wait for clusters:
 * health, metrics and the local API; and the API of a Pod for `kubectl zonekeeper`, with TLS, a
 * token from a file and a port of its own. The command reaches it through the API server, which
 * does not check the certificate.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { messageOf, OperationError, permanent } from "@zonekeeper/base/operation-error";
import { sleep } from "@zonekeeper/base/ports/clock";
import type { ApiConfig } from "../../../config/instance-options.ts";
import { type HttpApp, startHttpApp, type TlsPair } from "../../api/http-app.ts";
import { TokenFile } from "../../api/token-file.ts";
import type { Instance } from "../../compose/instance.ts";
import { addressText } from "../../ports/system-error.ts";
import { loadIssuer } from "../process/certificates.ts";
import { FOLDER_FILES } from "../process/data-folder.ts";
import { removeReady, writeReady } from "../process/ready-file.ts";
import type { RunContext } from "./run-context.ts";
import type { RunningInstance } from "./running-instance.ts";

/** Rejects with OperationError `AddressInUse` or `ListenFailed`. */
export async function startRunHttp(context: RunContext, instance: Instance): Promise<void> {
  const { config, teardown, token, folder, ports } = context;
  const { address: host, port } = config.http;
  const at = { host, port };
  const { page } = config;
  const http = await startHttpApp({ at, token, instance, page }).catch(withRemedy("--http-port"));
  teardown.add("http", () => http.close());
  const address = `http://${addressText(http.local)}`;
  ports.log.info("http listens", { address, localApi: token !== null });
  if (folder === null || token === null) return;
  const ready = folder.file(FOLDER_FILES.ready);
  // Where the server listens on all addresses, clients on this host use loopback.
  const reachable = address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
  writeReady(ready, { pid: process.pid, http: reachable, token });
  teardown.add("ready file", () => removeReady(ready));
}

/** Adds to an error about a port in use which option chooses another one. */
function withRemedy(option: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof OperationError) || error.code !== "AddressInUse") throw error;
    const { code, retry } = error;
    const message = `${error.message}; stop it, or choose another port with ${option} (0 = a free one)`;
    throw new OperationError({ code, message, retry, cause: error });
  };
}

/** Days; longer than any Pod lives. Only clients that were configured to check the certificate. */
const CERTIFICATE_DAYS = 3650;
const RENEWAL_MS = 60_000;

/** The part of the context that the local API needs. */
export type ApiContext = Pick<RunContext, "config" | "ports" | "teardown">;

/**
 * Does nothing without `--api-port`. Rejects with OperationError `AddressInUse`, `ListenFailed` or
 * `CertificateUnusable`.
 */
export async function startApi(context: ApiContext, instance: RunningInstance): Promise<void> {
  const { config, ports, teardown } = context;
  const { api } = config;
  if (api === null) return;
  const log = ports.log.child({ part: "api" });
  const token = new TokenFile(api.tokenFile, log);
  const tls = api.tls === null ? await makePair(ports.clock.nowMs()) : await readPair(api.tls);
  const app = await startHttpApp({
    at: { host: config.http.address, port: api.port },
    token: () => token.read(),
    tls,
    isApiOnly: true,
    page: config.page,
    instance,
  }).catch(withRemedy("--api-port"));
  teardown.add("api", () => app.close());
  log.info("API listens", { address: `https://${addressText(app.local)}` });
  instance.addChecks(token);
  token.read();
  if (api.tls !== null) followPair(context, { files: api.tls, app, first: tls });
}

interface Followed {
  readonly files: NonNullable<ApiConfig["tls"]>;
  readonly app: HttpApp;
  readonly first: TlsPair;
}

/**
 * Reads certificate and key every minute. A pair that does not fit is kept out: a renewal writes
 * two files, one after the other.
 */
function followPair({ ports, teardown }: ApiContext, { files, app, first }: Followed): void {
  const ended = new AbortController();
  teardown.add("api certificate", () => ended.abort());
  const follow = async (): Promise<void> => {
    let last = first;
    while (!ended.signal.aborted) {
      await sleep(ports.clock, RENEWAL_MS, ended.signal);
      try {
        const next = await readPair(files);
        if (next.cert === last.cert && next.key === last.key) continue;
        app.renew(next);
        last = next;
        ports.log.info("API has another certificate", { file: files.certFile });
      } catch (error) {
        ports.log.warn("API keeps its certificate", { reason: messageOf(error) });
      }
    }
  };
  void follow();
}

/** Rejects with OperationError `CertificateUnusable`. */
export async function readPair(files: NonNullable<ApiConfig["tls"]>): Promise<TlsPair> {
  const { certFile, keyFile } = files;
  try {
    const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error("the key is not the certificate's");
    return { cert, key };
  } catch (error) {
    throw permanent(
      "CertificateUnusable",
      `--api-tls-cert-file ${certFile}, --api-tls-key-file ${keyFile}: ${messageOf(error)}; give a certificate and its key as PEM files, or neither to have one made`,
    );
  }
}

/** Certificate and key for the life of one process. */
export async function makePair(nowMs: number): Promise<TlsPair> {
  const { issueAuthority, issueServer } = await loadIssuer();
  const validity = { nowMs, days: CERTIFICATE_DAYS };
  const asked = { ...validity, hosts: [hostname()] };
  const pair = await issueServer(await issueAuthority(validity), asked);
  return { cert: pair.certificate, key: pair.key };
}
