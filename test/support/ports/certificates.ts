/** Certificates for tests of TLS: an authority of their own and servers of 127.0.0.1. */
import type { IssuedPair } from "../../../src/app/dev/issue-certificate.ts";
import { provideReflectMetadata } from "../../../src/app/dev/reflect-metadata.ts";

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
  const { issueAuthority, issueServer } = await import("../../../src/app/dev/issue-certificate.ts");
  const validity = { nowMs: Date.now(), days: 1 };
  const ca = await issueAuthority(validity);
  const server = await issueServer(ca, { ...validity, hosts });
  return { caCertificate: ca.certificate, server };
}
