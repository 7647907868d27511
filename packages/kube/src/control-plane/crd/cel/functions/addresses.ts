/**
 * IP addresses and networks in CEL (k8s.io/apiserver pkg/cel/library/ip.go, cidr.go). Zones and
 * IPv4 in IPv6 are refused.
 */
import type { Environment } from "@marcbachmann/cel-js";
import { isIpv4, isIpv6 } from "../../../schema/address-rules.ts";

/** An address as a number. */
class CelIp {
  readonly family: 4 | 6;
  readonly value: bigint;

  constructor(family: 4 | 6, value: bigint) {
    this.family = family;
    this.value = value;
  }

  get bits(): number {
    return this.family === 4 ? 32 : 128;
  }

  /** RFC 5952 for IPv6. */
  get text(): string {
    return this.family === 4 ? ipv4Text(this.value) : ipv6Text(this.value);
  }

  /** True when the address lies in the network. */
  isIn(network: string): boolean {
    const { ip, length } = cidr(network);
    if (ip.family !== this.family) return false;
    const shift = BigInt(ip.bits - length);
    return ip.value >> shift === this.value >> shift;
  }
}

/** A network; the address may have bits behind the prefix. */
class CelCidr {
  readonly ip: CelIp;
  readonly length: number;

  constructor(ip: CelIp, length: number) {
    this.ip = ip;
    this.length = length;
  }

  get masked(): CelCidr {
    const shift = BigInt(this.ip.bits - this.length);
    return new CelCidr(new CelIp(this.ip.family, (this.ip.value >> shift) << shift), this.length);
  }

  contains(ip: CelIp): boolean {
    const shift = BigInt(this.ip.bits - this.length);
    return ip.family === this.ip.family && ip.value >> shift === this.ip.value >> shift;
  }
}

/** Adds the functions. */
export function registerAddresses(environment: Environment): void {
  environment.registerType("net.IP", { ctor: CelIp, fields: {} });
  environment.registerType("net.CIDR", { ctor: CelCidr, fields: {} });
  environment.registerFunction("isIP(string): bool", (text: string) => parseIp(text) !== null);
  environment.registerFunction("ip(string): net.IP", ip);
  environment.registerFunction("string(net.IP): string", (each: CelIp) => each.text);
  environment.registerFunction("isCIDR(string): bool", (text: string) => parseCidr(text) !== null);
  environment.registerFunction("cidr(string): net.CIDR", cidr);
  environment.registerFunction(
    "string(net.CIDR): string",
    (each: CelCidr) => `${each.ip.text}/${each.length}`,
  );
  registerIpTests(environment);
  registerCidrTests(environment);
  environment.registerOperator(
    "net.IP == net.IP",
    (a: CelIp, b: CelIp) => a.family === b.family && a.value === b.value,
  );
  environment.registerOperator(
    "net.CIDR == net.CIDR",
    (a: CelCidr, b: CelCidr) =>
      a.length === b.length && a.ip.family === b.ip.family && a.ip.value === b.ip.value,
  );
}

function registerIpTests(environment: Environment): void {
  environment.registerFunction("net.IP.family(): int", (each: CelIp) => BigInt(each.family));
  const networks: readonly (readonly [string, readonly string[]])[] = [
    ["isLoopback", ["127.0.0.0/8", "::1/128"]],
    ["isUnspecified", ["0.0.0.0/32", "::/128"]],
    ["isLinkLocalMulticast", ["224.0.0.0/24", "ff02::/16"]],
    ["isLinkLocalUnicast", ["169.254.0.0/16", "fe80::/10"]],
  ];
  for (const [name, all] of networks)
    environment.registerFunction(`net.IP.${name}(): bool`, (each: CelIp) =>
      all.some((network) => each.isIn(network)),
    );
  const others = ["127.0.0.0/8", "::1/128", "0.0.0.0/32", "::/128", "224.0.0.0/4", "ff00::/8"];
  const local = ["169.254.0.0/16", "fe80::/10", "255.255.255.255/32"];
  environment.registerFunction(
    "net.IP.isGlobalUnicast(): bool",
    (each: CelIp) => ![...others, ...local].some((network) => each.isIn(network)),
  );
}

function registerCidrTests(environment: Environment): void {
  environment.registerFunction("net.CIDR.ip(): net.IP", (each: CelCidr) => each.ip);
  environment.registerFunction("net.CIDR.masked(): net.CIDR", (each: CelCidr) => each.masked);
  environment.registerFunction("net.CIDR.prefixLength(): int", (each: CelCidr) =>
    BigInt(each.length),
  );
  environment.registerFunction("net.CIDR.containsIP(string): bool", (each: CelCidr, text: string) =>
    each.contains(ip(text)),
  );
  environment.registerFunction("net.CIDR.containsIP(net.IP): bool", (each: CelCidr, other: CelIp) =>
    each.contains(other),
  );
  const containsCidr = (each: CelCidr, other: CelCidr): boolean =>
    other.length >= each.length && each.contains(other.ip);
  environment.registerFunction(
    "net.CIDR.containsCIDR(string): bool",
    (each: CelCidr, text: string) => containsCidr(each, cidr(text)),
  );
  environment.registerFunction("net.CIDR.containsCIDR(net.CIDR): bool", containsCidr);
}

function ip(text: string): CelIp {
  const parsed = parseIp(text);
  if (parsed === null) throw new Error(`IP Address ${JSON.stringify(text)} parse error`);
  return parsed;
}

function cidr(text: string): CelCidr {
  const parsed = parseCidr(text);
  if (parsed === null) throw new Error(`network address parse error: ${JSON.stringify(text)}`);
  return parsed;
}

function parseIp(text: string): CelIp | null {
  if (isIpv4(text)) return new CelIp(4, joined(text.split(".").map(Number), 8n));
  if (!isIpv6(text) || text.includes(".")) return null;
  const [head = "", tail] = text.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const left = [...head];
  const right = [...(tail ?? [])];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  const groups = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
  return new CelIp(6, joined(groups, 16n));
}

function parseCidr(text: string): CelCidr | null {
  const [address = "", length = "", more] = text.split("/");
  const parsed = parseIp(address);
  if (parsed === null || more !== undefined || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return null;
  return Number(length) <= parsed.bits ? new CelCidr(parsed, Number(length)) : null;
}

const joined = (pieces: readonly number[], bits: bigint): bigint =>
  pieces.reduce((all, part) => (all << bits) | BigInt(part), 0n);

const ipv4Text = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join(".");

/** The first longest run of two zero groups or more is left out. */
function ipv6Text(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_each, index) =>
    ((value >> BigInt(16 * (7 - index))) & 0xffffn).toString(16),
  );
  const runs = groups.map((_group, start) => {
    const end = groups.findIndex((group, index) => index >= start && group !== "0");
    return (end < 0 ? groups.length : end) - start;
  });
  const longest = Math.max(...runs);
  if (longest < 2) return groups.join(":");
  const start = runs.indexOf(longest);
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + longest).join(":")}`;
}
