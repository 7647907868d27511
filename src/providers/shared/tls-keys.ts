/**
 * The PEM texts of a Secret by which an API is reached over TLS: whom to trust, and what is shown
 * to a server that asks for a certificate. Problems name the key and never its value.
 */
import type { HttpTls } from "@zonekeeper/base/ports/http";
import type { Problem } from "../../model/problem.ts";
import { type SecretCheck, type SecretKeys, type SecretValues, secretProblem } from "./settings.ts";

/** Keys of the Secret, each with its other spelling. */
export interface TlsKeys {
  readonly ca: readonly [string, string];
  readonly cert: readonly [string, string];
  readonly key: readonly [string, string];
}

/** For `readSecret`. */
export function tlsSecretKeys({ ca, cert, key }: TlsKeys): SecretKeys {
  return Object.fromEntries(
    [ca, cert, key].map(([name, other]) => [name, { other, isFile: true, checks: [PEM_CHECK] }]),
  );
}

const PEM_CHECK: SecretCheck = [
  /-----BEGIN [A-Z ]+-----[\s\S]+-----END/,
  "is no PEM text",
  "write it with its BEGIN and END lines",
];

/** Null = none is given. */
export function tlsOf(values: SecretValues, keys: TlsKeys, problems: Problem[]): HttpTls | null {
  const [ca, cert, key] = [keys.ca, keys.cert, keys.key].map(([name]) => values[name]);
  if ((cert === undefined) !== (key === undefined)) {
    const [missing] = cert === undefined ? keys.cert : keys.key;
    problems.push(secretProblem(missing, "is missing", "write both, or leave both out"));
  }
  const given = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  return Object.keys(given).length === 0 ? null : given;
}
