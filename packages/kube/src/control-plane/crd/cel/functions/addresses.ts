/**
 * IP addresses and networks in CEL (k8s.io/apiserver pkg/cel/library/ip.go, cidr.go). Zones and
 * IPv4 in IPv6 are refused.
 */
import type { Environment } from "@marcbachmann/cel-js";
import { isIpv4, isIpv6 } from "../../../schema/address-rules.ts";
import { type CelFunctions, registerAll } from "./register.ts";

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

  equals(other: CelIp): boolean {
    return this.family === other.family && this.value === other.value;
  }

  /** True when the address lies in the network. */
  isIn(network: string): boolean {
    return cidr(network).contains(this);
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

  /** True when the other network lies in this one. */
  covers(other: CelCidr): boolean {
    return other.length >= this.length && this.contains(other.ip);
  }
}

/** Networks whose addresses a function finds. */
const NETWORKS: readonly (readonly [name: string, networks: readonly string[]])[] = [
  ["isLoopback", ["127.0.0.0/8", "::1/128"]],
  ["isUnspecified", ["0.0.0.0/32", "::/128"]],
  ["isLinkLocalMulticast", ["224.0.0.0/24", "ff02::/16"]],
  ["isLinkLocalUnicast", ["169.254.0.0/16", "fe80::/10"]],
];
/** Addresses that are no global unicast. */
const SPECIAL = [
  ...["127.0.0.0/8", "::1/128", "0.0.0.0/32", "::/128", "224.0.0.0/4", "ff00::/8"],
  ...["169.254.0.0/16", "fe80::/10", "255.255.255.255/32"],
];

const FUNCTIONS: CelFunctions = {
  "isIP(string): bool": (text: string) => parseIp(text) !== null,
  "ip(string): net.IP": ip,
  "string(net.IP): string": (each: CelIp) => each.text,
  "isCIDR(string): bool": (text: string) => parseCidr(text) !== null,
  "cidr(string): net.CIDR": cidr,
  "string(net.CIDR): string": (each: CelCidr) => `${each.ip.text}/${each.length}`,
  "net.IP.family(): int": (each: CelIp) => BigInt(each.family),
  "net.IP.isGlobalUnicast(): bool": (each: CelIp) => !SPECIAL.some((network) => each.isIn(network)),
  "net.CIDR.ip(): net.IP": (each: CelCidr) => each.ip,
  "net.CIDR.masked(): net.CIDR": (each: CelCidr) => each.masked,
  "net.CIDR.prefixLength(): int": (each: CelCidr) => BigInt(each.length),
  "net.CIDR.containsIP(string): bool": (each: CelCidr, text: string) => each.contains(ip(text)),
  "net.CIDR.containsIP(net.IP): bool": (each: CelCidr, other: CelIp) => each.contains(other),
  "net.CIDR.containsCIDR(string): bool": (each: CelCidr, text: string) => each.covers(cidr(text)),
  "net.CIDR.containsCIDR(net.CIDR): bool": (each: CelCidr, other: CelCidr) => each.covers(other),
};

/** Adds the functions. */
export function registerAddresses(environment: Environment): void {
  environment.registerType("net.IP", { ctor: CelIp, fields: {} });
  environment.registerType("net.CIDR", { ctor: CelCidr, fields: {} });
  registerAll(environment, FUNCTIONS);
  for (const [name, all] of NETWORKS)
    environment.registerFunction(`net.IP.${name}(): bool`, (each: CelIp) =>
      all.some((network) => each.isIn(network)),
    );
  environment.registerOperator("net.IP == net.IP", (a: CelIp, b: CelIp) => a.equals(b));
  environment.registerOperator(
    "net.CIDR == net.CIDR",
    (a: CelCidr, b: CelCidr) => a.length === b.length && a.ip.equals(b.ip),
  );
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
