/**
 * Functions of Kubernetes that known definitions call and the library does not have (ADR 0153, ADR
 * 0135): addresses and URLs (k8s.io/apiserver pkg/cel/library ip.go, cidr.go, urls.go), and
 * matching by RE2 (regex.go), which the library would do by ECMAScript.
 */
import type { Environment, RegisteredFunctionHandler } from "@marcbachmann/cel-js";
import { Re2 } from "../../../objects/re2.ts";
import { isCidr, isIpv4, isIpv6 } from "../../schema/schema-formats.ts";

/**
 * Name that calls of `matches` are given before they are compiled: the library does not release
 * its own.
 */
export const RE2_MATCHES = "matchesRe2";

/** A URL, of which the scheme is asked; empty = it is an absolute path. */
class CelUrl {
  readonly scheme: string;

  constructor(scheme: string) {
    this.scheme = scheme;
  }
}

const FUNCTIONS: Readonly<Record<string, RegisteredFunctionHandler>> = {
  [`string.${RE2_MATCHES}(string): bool`]: matches,
  "matches(string, string): bool": matches,
  // IPv4 in IPv6 is no address here, though it is one in a schema.
  "isIP(string): bool": (text: string) => isIpv4(text) || (isIpv6(text) && !text.includes(".")),
  "isCIDR(string): bool": (text: string) => isCidr(text) && !/:.*\./.test(text),
  "isURL(string): bool": isUrl,
  "url(string): kubernetes.URL": (text: string) => {
    const scheme = schemeOf(text);
    if (scheme !== null) return new CelUrl(scheme);
    throw new Error(`URL parse error during conversion from string: ${text}`);
  },
  "kubernetes.URL.getScheme(): string": ({ scheme }: CelUrl) => scheme,
};

/** Adds the functions to an environment. */
export function withFunctions(environment: Environment): Environment {
  environment.registerType("kubernetes.URL", { ctor: CelUrl, fields: {} });
  for (const [signature, run] of Object.entries(FUNCTIONS))
    environment.registerFunction(signature, run);
  return environment;
}

function matches(text: string, pattern: string): boolean {
  const found = new Re2(pattern).test(text);
  if (found === null) throw new Error("the text is too long for the pattern");
  return found;
}

/** RFC 3986 appendix B without fragment; a scheme, or an absolute path alone. */
const ABSOLUTE =
  /^(?:([A-Za-z][-A-Za-z0-9+.]*):(?:\/\/[^/?#\s]*)?)?(?:(?:\/|(?<=:))[^?#\s]*|)(?:\?\S*)?$/;

/** The scheme of an absolute URL, empty of an absolute path; null = it is neither. */
function schemeOf(text: string): string | null {
  const match = ABSOLUTE.exec(text);
  return match?.[1] ?? (match !== null && text.startsWith("/") ? "" : null);
}

/** An absolute URL, or an absolute path. */
export function isUrl(text: string): boolean {
  return schemeOf(text) !== null;
}
