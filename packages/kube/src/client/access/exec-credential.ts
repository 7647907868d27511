/** The protocol of credential plugins: their environment, and how their output is parsed. Pure. */

import { base64Text } from "@zonekeeper/base/byte-text";
import { jsonIn } from "@zonekeeper/base/json-text";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { isRecord, type JsonRecord, recordOf, textOf } from "../requests/json-value.ts";
import type { ClusterAccess, ExecConfig } from "./cluster-access.ts";

/** The credential of a plugin. */
export interface ExecCredential {
  readonly token: string | null;
  /** PEM; both or none. */
  readonly clientCertificateData: string | null;
  readonly clientKeyData: string | null;
  /** Unix milliseconds; null = unknown. */
  readonly expiresAtMs: number | null;
}

/** The value of KUBERNETES_EXEC_INFO (client-go credential plugins, "Input and output formats"). */
export function execInfo(exec: ExecConfig, access: ClusterAccess, ca: string | null): string {
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
export function parseExecCredential(exec: ExecConfig, stdout: string): Result<ExecCredential> {
  const answer = jsonIn(stdout);
  if (!isRecord(answer) || answer["kind"] !== "ExecCredential") {
    return fail("its output is no ExecCredential");
  }
  if (answer["apiVersion"] !== exec.apiVersion) {
    return fail(`its output is not of apiVersion ${exec.apiVersion}`);
  }
  return credentialOf(recordOf(answer["status"]));
}

function credentialOf(status: JsonRecord): Result<ExecCredential> {
  const credential = {
    token: textOf(status["token"]) || null,
    clientCertificateData: textOf(status["clientCertificateData"]) || null,
    clientKeyData: textOf(status["clientKeyData"]) || null,
    expiresAtMs: expiryOf(status["expirationTimestamp"]),
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

function expiryOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}
