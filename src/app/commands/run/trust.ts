/** Whose DNSProviders may name any address (Z-29). Pure. */
import type { RunConfig } from "../../../config/run-config.ts";

/** `home`: the namespace where the program runs, which is trusted where none is named. */
export function trustOf(
  { trustedNamespaces: given }: Pick<RunConfig, "trustedNamespaces">,
  home: string,
): (namespace: string) => boolean {
  const trusted = new Set(given.length === 0 ? [home] : given);
  return (namespace) => trusted.has("*") || trusted.has(namespace);
}
