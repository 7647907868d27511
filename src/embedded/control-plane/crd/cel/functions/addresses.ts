/**
 * Addresses in CEL: whether a text is one (k8s.io/apiserver pkg/cel/library/ip.go, cidr.go). IPv4
 * in IPv6 is refused.
 */
import type { Environment } from "@marcbachmann/cel-js";
import { isIpv4, isIpv6 } from "../../../schema/address-rules.ts";
import { isCidr } from "../../../schema/schema-formats.ts";

/** Adds the functions. */
export function registerAddresses(environment: Environment): void {
  const isPlain = (text: string): boolean => isIpv4(text) || !text.includes(".");
  environment.registerFunction(
    "isIP(string): bool",
    (text: string) => isPlain(text) && (isIpv4(text) || isIpv6(text)),
  );
  environment.registerFunction(
    "isCIDR(string): bool",
    (text: string) => isPlain(text.split("/")[0] ?? "") && isCidr(text),
  );
}
