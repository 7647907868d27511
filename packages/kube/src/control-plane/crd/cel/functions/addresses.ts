/**
 * What is an IP address or a network, in CEL (k8s.io/apiserver pkg/cel/library/ip.go, cidr.go).
 * Zones and IPv4 in IPv6 are refused.
 */
import type { Environment } from "@marcbachmann/cel-js";
import { isIpv4, isIpv6 } from "../../../schema/address-rules.ts";
import { registerAll } from "./register.ts";

/** Adds the functions. */
export function registerAddresses(environment: Environment): void {
  registerAll(environment, {
    "isIP(string): bool": (text: string) => bitsOf(text) > 0,
    "isCIDR(string): bool": (text: string) => {
      const [address = "", length = "", more] = text.split("/");
      const isLength = /^(?:0|[1-9]\d{0,2})$/.test(length) && more === undefined;
      return isLength && bitsOf(address) >= Math.max(1, Number(length));
    },
  });
}

/** 32 or 128; 0 = it is no address. */
function bitsOf(text: string): number {
  if (isIpv4(text)) return 32;
  return isIpv6(text) && !text.includes(".") ? 128 : 0;
}
