/** A certificate for 127.0.0.1, signed by an authority of its own, as the program issues them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { provideReflectMetadata } from "../../../src/app/commands/process/certificates.ts";
import { makeTempFolder } from "./temp-folder.ts";

/** PEM texts, and the file of the authority for clients. */
export interface LocalCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly caFile: string;
  /** Removes the file. */
  remove(): void;
}

/** Valid for two days. */
export async function issueLocalCertificate(): Promise<LocalCertificate> {
  provideReflectMetadata();
  const { issueAuthority, issueServer } = await import(
    "../../../src/app/commands/process/issue-certificate.ts"
  );
  const validity = { nowMs: Date.now(), days: 2 };
  const ca = await issueAuthority(validity);
  const { certificate, key } = await issueServer(ca, { ...validity, hosts: ["127.0.0.1"] });
  const folder = makeTempFolder("certificate");
  const caFile = join(folder.path, "ca.pem");
  writeFileSync(caFile, ca.certificate);
  return { certificate, key, caFile, remove: () => folder.remove() };
}
