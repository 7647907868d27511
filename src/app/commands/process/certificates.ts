/**
 * The embedded API's own CA and server certificate (kubectl sends a token over nothing but TLS).
 * Both are kept in the data folder; the server's is renewed by the kept CA, so that kubeconfigs
 * that were handed out stay good.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { type OperationError, permanent } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { readIfThere, writeDurably } from "../../ports/durable-file.ts";
import type { IssuedPair } from "./issue-certificate.ts";

/** Where the four PEM files are. */
export interface CertificateFiles {
  readonly caCertificate: string;
  readonly caKey: string;
  readonly serverCertificate: string;
  readonly serverKey: string;
}

/** PEM texts that a TLS server needs, and the CA for kubeconfigs. */
export interface ServerCredentials {
  readonly caCertificate: string;
  readonly certificate: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const CA_DAYS = 3650;
const SERVER_DAYS = 365;
/** A certificate with less than this left is replaced at the next start. */
const RENEW_BEFORE_MS = 30 * DAY_MS;

/**
 * Loads certificates that exist and are valid, and issues the others. Throws OperationError
 * `CertificatesBroken`.
 */
export async function loadCertificates(
  files: CertificateFiles,
  hosts: readonly string[],
  clock: Clock,
): Promise<ServerCredentials> {
  const nowMs = clock.nowMs();
  const ca = readPair(files.caCertificate, files.caKey);
  if (ca === null || !isGood(ca.certificate, nowMs)) return issueAll(files, hosts, nowMs);
  const server = readPair(files.serverCertificate, files.serverKey);
  if (server !== null && isGood(server.certificate, nowMs) && fits(server, ca, hosts))
    return credentials(ca, server);
  return renewServer(files, ca, hosts, nowMs);
}

async function issueAll(
  files: CertificateFiles,
  hosts: readonly string[],
  nowMs: number,
): Promise<ServerCredentials> {
  const { issueAuthority } = await loadIssuer();
  const ca = await issueAuthority({ nowMs, days: CA_DAYS });
  // The key first: a certificate without its key would look like a loss, a key alone is replaced.
  writeDurably(files.caKey, ca.key);
  writeDurably(files.caCertificate, ca.certificate);
  return renewServer(files, ca, hosts, nowMs);
}

async function renewServer(
  files: CertificateFiles,
  ca: IssuedPair,
  hosts: readonly string[],
  nowMs: number,
): Promise<ServerCredentials> {
  if (!isKeyOf(ca)) throw broken("ca.key", null);
  const { issueServer } = await loadIssuer();
  const server = await issueServer(ca, { nowMs, days: SERVER_DAYS, hosts });
  writeDurably(files.serverKey, server.key);
  writeDurably(files.serverCertificate, server.certificate);
  return credentials(ca, server);
}

/** The library behind it is loaded when the first certificate is issued. */
export function loadIssuer(): Promise<typeof import("./issue-certificate.ts")> {
  provideReflectMetadata();
  return import("./issue-certificate.ts");
}

function credentials(ca: IssuedPair, server: IssuedPair): ServerCredentials {
  return { caCertificate: ca.certificate, certificate: server.certificate, key: server.key };
}

function readPair(certificateFile: string, keyFile: string): IssuedPair | null {
  const certificate = readIfThere(certificateFile);
  const key = readIfThere(keyFile);
  return certificate === null || key === null ? null : { certificate, key };
}

function isGood(certificate: string, nowMs: number): boolean {
  return Date.parse(read(certificate).validTo) - nowMs > RENEW_BEFORE_MS;
}

function fits(server: IssuedPair, ca: IssuedPair, hosts: readonly string[]): boolean {
  const certificate = read(server.certificate);
  return (
    certificate.verify(read(ca.certificate).publicKey) &&
    isKeyOf(server) &&
    hosts.every((host) => {
      const matched = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
      return matched !== undefined;
    })
  );
}

/**
 * True = the key is that of the certificate. False for a broken key, too: OpenSSL's own message
 * would name no file.
 */
function isKeyOf({ certificate, key }: IssuedPair): boolean {
  try {
    return read(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function read(certificate: string): X509Certificate {
  try {
    return new X509Certificate(certificate);
  } catch (cause) {
    throw broken("a certificate", cause);
  }
}

function broken(what: string, cause: unknown): OperationError {
  return permanent(
    "CertificatesBroken",
    `${what} in the data folder cannot be read. Restore it, or remove ca.crt, ca.key, server.crt and server.key to have new ones`,
    cause,
  );
}

type Metadata = Map<unknown, unknown>;

/**
 * Adds the three functions to `Reflect` unless somebody else has. Call before importing
 * `@peculiar/x509`.
 */
export function provideReflectMetadata(): void {
  if ("getMetadata" in Reflect) return;
  const known = new WeakMap<object, Metadata>();
  const own = (key: unknown, target: object): unknown => known.get(target)?.get(key);
  const inherited = (key: unknown, target: object): unknown => {
    const parent: object | null = Object.getPrototypeOf(target);
    return own(key, target) ?? (parent === null ? undefined : inherited(key, parent));
  };
  Object.assign(Reflect, {
    getOwnMetadata: own,
    getMetadata: inherited,
    defineMetadata: (key: unknown, value: unknown, target: object): void => {
      const metadata: Metadata = known.get(target) ?? new Map();
      metadata.set(key, value);
      known.set(target, metadata);
    },
  });
}
