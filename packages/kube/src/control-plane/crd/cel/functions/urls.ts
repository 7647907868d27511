/** URLs in CEL (k8s.io/apiserver pkg/cel/library/urls.go): absolute ones, and absolute paths. */
import type { Environment } from "@marcbachmann/cel-js";
import { registerAll } from "./register.ts";

/** A URL in its parts; those that it does not have are empty. */
class CelUrl {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(components: { readonly [part: string]: string | undefined }) {
    this.scheme = components["scheme"] ?? "";
    this.host = components["host"] ?? "";
    this.path = components["path"] ?? "";
    this.query = components["query"] ?? "";
  }
}

/** RFC 3986 appendix B without fragment; a scheme, or an absolute path alone. */
const ABSOLUTE =
  /^(?:(?<scheme>[A-Za-z][-A-Za-z0-9+.]*):(?:\/\/(?<host>[^/?#\s]*))?)?(?<path>(?:\/|(?<=:))[^?#\s]*|)(?:\?(?<query>\S*))?$/;

/** Adds the functions. */
export function registerUrls(environment: Environment): void {
  environment.registerType("kubernetes.URL", { ctor: CelUrl, fields: {} });
  registerAll(environment, {
    "isURL(string): bool": isUrl,
    "url(string): kubernetes.URL": (text: string) => {
      const url = parse(text);
      if (url === null) throw new Error(`URL parse error during conversion from string: ${text}`);
      return url;
    },
    "kubernetes.URL.getScheme(): string": ({ scheme }: CelUrl) => scheme,
    "kubernetes.URL.getHost(): string": ({ host }: CelUrl) => host,
    "kubernetes.URL.getHostname(): string": ({ host }: CelUrl) =>
      host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1"),
    "kubernetes.URL.getPort(): string": ({ host }: CelUrl) => /:(\d*)$/.exec(host)?.[1] ?? "",
    "kubernetes.URL.getEscapedPath(): string": ({ path }: CelUrl) => path,
    "kubernetes.URL.getQuery(): map": (url: CelUrl) => {
      const query = new URLSearchParams(url.query);
      return new Map([...new Set(query.keys())].map((key) => [key, query.getAll(key)]));
    },
  });
}

/** An absolute URL, or an absolute path. */
export function isUrl(text: string): boolean {
  return parse(text) !== null;
}

function parse(text: string): CelUrl | null {
  const groups = ABSOLUTE.exec(text)?.groups;
  if (groups === undefined) return null;
  const isAbsolute = groups["scheme"] !== undefined || text.startsWith("/");
  return isAbsolute ? new CelUrl(groups) : null;
}
