/** The account of a name server that flags of external-dns describe. Pure. */
import { fail, ok } from "@zonekeeper/base/result";
import type { Problem } from "../../model/problem.ts";
import { given, type Make, type ProviderInput, problem, readFiles } from "./provider-input.ts";

/** `provider/rfc2136/rfc2136.go` @v0.22, but for Kerberos. */
export function rfc2136(input: ProviderInput): ReturnType<Make> {
  const { text } = input;
  const zones = zonesOf(input);
  const isUnsigned = text("rfc2136-insecure") === "true";
  const usesTls = text("rfc2136-use-tls") === "true";
  // Kerberos is refused by its row (provider-flags.ts): nothing is said of the key besides.
  const isKeyless = isUnsigned || text("rfc2136-gss-tsig") === "true";
  const keyFlags = isKeyless ? [] : ["rfc2136-tsig-keyname", "rfc2136-tsig-secret"];
  const keyProblems = keyFlags
    .filter((name) => text(name) === "")
    .map((name) => problem(`--${name}`, "is missing; write it, or give --rfc2136-insecure"));
  const problems = [...serverProblems(input), ...keyProblems];
  const texts = readFiles(input, usesTls ? TLS_FILES : {}, problems);
  if (problems.length > 0) return fail(problems);
  const key = given({
    TSIGKeyName: text("rfc2136-tsig-keyname"),
    TSIGSecret: text("rfc2136-tsig-secret"),
    TSIGSecretAlgorithm: text("rfc2136-tsig-secret-alg").replace(/\.$/, ""),
  });
  return ok({
    type: "rfc2136",
    secret: { Server: serverOf(input), ...(isUnsigned ? {} : key), ...texts },
    config: {
      zones,
      ...(isUnsigned ? { allowUnsigned: true } : {}),
      ...(usesTls ? { tls: true } : {}),
    },
  });
}

/** Flags with the paths of files, by key of the Secret. */
const TLS_FILES = {
  TLSCACertificate: "tls-ca",
  TLSClientCertificate: "tls-client-cert",
  TLSClientKey: "tls-client-cert-key",
};

/** Without `--rfc2136-zone` the domains are taken for zones. */
function zonesOf({ list }: ProviderInput): readonly string[] {
  return list("rfc2136-zone").length > 0 ? list("rfc2136-zone") : list("domain-filter");
}

function serverOf({ text, list }: ProviderInput): string {
  const [host = ""] = list("rfc2136-host");
  const server = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const port = text("rfc2136-port");
  return port === "" || port === "0" ? server : `${server}:${port}`;
}

function serverProblems(input: ProviderInput): readonly Problem[] {
  const hosts = input.list("rfc2136-host").length;
  return [
    ...(hosts === 0 ? [problem("--rfc2136-host", "is missing; name the primary server")] : []),
    ...(hosts > 1
      ? [problem("--rfc2136-host", "names several servers; name the primary alone")]
      : []),
    ...(zonesOf(input).length === 0
      ? [problem("--rfc2136-zone", "is missing; write it for each zone of the server")]
      : []),
  ];
}
