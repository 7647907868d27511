/**
 * Issues certificates (EC P-256, SHA-256). Loaded only when one is needed: the library behind it is
 * big.
 */
import { webcrypto } from "node:crypto";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";

/** PEM texts; the key is PKCS #8. */
export interface IssuedPair {
  readonly certificate: string;
  readonly key: string;
}

/** From when and for how long. */
export interface Validity {
  readonly nowMs: number;
  readonly days: number;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;
/** Clocks of clients that lag behind. */
const BACKDATE_MS = 3_600_000;
const SERIAL_BYTES = 16;

/** A self-signed CA that may sign end entities only. */
export async function issueAuthority(validity: Validity): Promise<IssuedPair> {
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serial(),
      name: `CN=zonekeeper-dev-ca`,
      ...period(validity),
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
          true,
        ),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { certificate: `${certificate.toString("pem")}\n`, key: await exportKey(keys.privateKey) };
}

/** A server certificate for IP addresses and host names. */
export async function issueServer(
  ca: IssuedPair,
  options: Validity & { readonly hosts: readonly string[] },
): Promise<IssuedPair> {
  const keys = await makeKeys();
  const authority = new x509.X509Certificate(ca.certificate);
  const caKey = x509.PemConverter.decodeFirst(ca.key);
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serial(),
      subject: "CN=zonekeeper-dev",
      issuer: authority.subject,
      ...period(options),
      publicKey: keys.publicKey,
      signingKey: await webcrypto.subtle.importKey("pkcs8", caKey, ALGORITHM, false, ["sign"]),
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          options.hosts.map((host) => ({ type: isIP(host) === 0 ? "dns" : "ip", value: host })),
        ),
        await x509.AuthorityKeyIdentifierExtension.create(authority, false, webcrypto),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { certificate: `${certificate.toString("pem")}\n`, key: await exportKey(keys.privateKey) };
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = await webcrypto.subtle.exportKey("pkcs8", key);
  return `${x509.PemConverter.encode(bytes, "PRIVATE KEY")}\n`;
}

function period({ nowMs, days }: Validity): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(nowMs - BACKDATE_MS), notAfter: new Date(nowMs + days * DAY_MS) };
}

/** Positive and not zero (RFC 5280 §4.1.2.2). */
function serial(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(SERIAL_BYTES));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01;
  return Buffer.from(bytes).toString("hex");
}
