/** What accounts are made from, and how flags, environment and files are read for them. Pure. */
import { jsonIn } from "@zonekeeper/base/json-text";
import type { Result } from "@zonekeeper/base/result";
import { type Fields, fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";

/** What a DNSProvider and its Secret would say. */
export interface ProviderByFlags {
  readonly type: string;
  readonly secret: Readonly<Record<string, string>>;
  readonly config: Fields;
}

/** What the account is made from. */
export interface ProviderInput {
  /** The one value of a flag; empty = not given. */
  readonly text: (flag: string) => string;
  readonly list: (flag: string) => readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Null = there is no such file. */
  readonly readFile: (path: string) => string | null;
}

/** Fails with everything that is missing. */
export type Make = (input: ProviderInput) => Result<ProviderByFlags, readonly Problem[]>;

/** What is wrong with a flag. */
export function problem(flag: string, message: string): Problem {
  return { code: "InvalidOption", subject: flag, message };
}

/** Those that are set. */
export function given(
  texts: Readonly<Record<string, string | undefined | null>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => (text ? [[key, text]] : [])),
  );
}

/** Null = it is no JSON. */
export function jsonOf(text: string): Fields | null {
  const value = jsonIn(text);
  return value === undefined ? null : fieldsOf(value);
}

/**
 * Texts of files that flags name, by key of the Secret. Certificates to trust may also be in the
 * file of the variable that programs in Go read them by (crypto/x509, `SystemCertPool`).
 */
export function readFiles(
  { text, readFile, environment }: ProviderInput,
  files: Readonly<Record<string, string>>,
  problems: Problem[],
): Readonly<Record<string, string>> {
  const read = Object.entries(files).flatMap(([key, flag]) => {
    const path = text(flag);
    const trusted = flag === "tls-ca" ? environment["SSL_CERT_FILE"] : "";
    const content = readFile(path || trusted || "");
    if (path !== "" && content === null)
      problems.push(problem(`--${flag}`, `${path} cannot be read`));
    return content === null ? [] : [[key, content]];
  });
  return Object.fromEntries(read);
}
