/** Certificates for tests of TLS: an authority of their own and servers of 127.0.0.1. */
import { webcrypto } from "node:crypto";
import { provideReflectMetadata } from "../../../src/app/commands/process/certificates.ts";
import type { IssuedPair } from "../../../src/app/commands/process/issue-certificate.ts";

/** PEM texts. */
export interface TestCertificates {
  readonly caCertificate: string;
  readonly server: IssuedPair;
}

/** A new authority, and a certificate of it for these hosts; good for a day. */
export async function issueCertificates(
  hosts: readonly string[] = ["127.0.0.1"],
): Promise<TestCertificates> {
  provideReflectMetadata();
  const { issueAuthority, issueServer } = await import(
    "../../../src/app/commands/process/issue-certificate.ts"
  );
  const validity = { nowMs: Date.now(), days: 1 };
  const ca = await issueAuthority(validity);
  const server = await issueServer(ca, { ...validity, hosts });
  return { caCertificate: ca.certificate, server };
}

/** A certificate of whom nobody vouches for but its key, and both as one PEM text. */
export async function selfSigned(): Promise<IssuedPair> {
  provideReflectMetadata();
  const x509 = await import("@peculiar/x509");
  x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0]);
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const made = await x509.X509CertificateGenerator.createSelfSigned({ name: "CN=dns", keys });
  const bytes = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  const certificate = made.toString("pem");
  const key = x509.PemConverter.encode(bytes, "PRIVATE KEY");
  return { certificate, key };
}
