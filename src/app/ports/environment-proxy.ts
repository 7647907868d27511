/**
 * The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY ask for, as Go programs such as kubectl read
 * them (golang.org/x/net/http/httpproxy, `Config.ProxyFunc`): lower case counts too, after upper
 * case.
 */
import { BlockList, isIP } from "node:net";
import { permanent } from "@zonekeeper/base/operation-error";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * URL of the proxy for `server`; null = none. Loopback and `localhost` never go through one. Throws
 * OperationError `NoClusterAccess` for a proxy that is no http or https URL.
 */
export function environmentProxy(server: string, environment: Environment): string | null {
  const url = new URL(server);
  const variable = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = variableIn(variable, environment);
  if (proxy === "") return null;
  if (isExcepted(url, variableIn("NO_PROXY", environment))) return null;
  const text = proxy.includes("://") ? proxy : `http://${proxy}`;
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw permanent(
    "NoClusterAccess",
    `${variable} is no URL of an HTTP proxy; give http://host:port, or except the host with NO_PROXY`,
  );
}

function variableIn(variable: string, environment: Environment): string {
  return environment[variable] || environment[variable.toLowerCase()] || "";
}

function isExcepted(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (host === "localhost" || isIn(host, "127.0.0.0/8") || isIn(host, "::1/128")) return true;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(",").some((entry) => matches(entry.trim().toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isIn(host, entry);
  const [, name = "", onlyPort = port] =
    /^(.*?)(?::(\d+))?$/.exec(isIP(entry) ? `[${entry}]` : entry) ?? [];
  return onlyPort === port && isNamed(name.replace(/^\[|\]$/g, ""), host);
}

/**
 * `foo.com` and `*.foo.com` as themselves and below; `.foo.com` only below. Addresses only as
 * themselves.
 */
function isNamed(entry: string, host: string): boolean {
  if (entry === "") return false;
  if (isIP(entry) !== 0 || isIP(host) !== 0)
    return isIn(host, `${entry}/${isIP(entry) === 4 ? 32 : 128}`);
  const suffix = entry.startsWith("*.") ? entry.slice(1) : entry;
  return suffix.startsWith(".")
    ? host.endsWith(suffix)
    : host === suffix || host.endsWith(`.${suffix}`);
}

/** False for a host that is a name and for a range that is none. */
function isIn(host: string, range: string): boolean {
  const [network = "", length = ""] = range.split("/");
  const family = isIP(network) === 4 ? "ipv4" : "ipv6";
  const bits = Number(length);
  if (isIP(host) === 0 || isIP(host) !== isIP(network) || !/^\d{1,3}$/.test(length)) return false;
  if (bits > (family === "ipv4" ? 32 : 128)) return false;
  const block = new BlockList();
  block.addSubnet(network, bits, family);
  return block.check(host, family);
}
