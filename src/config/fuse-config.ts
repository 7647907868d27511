/** What the options of the fuse say (Z-16). */
import type { FuseLimits } from "../model/fuse-limits.ts";
import type { ResolvedOptions } from "./resolve-options.ts";

/** How the fuse is set. */
export interface FuseConfig {
  readonly limits: FuseLimits;
  /** Names of namespaces; one that ends with `*` means all that begin so. */
  readonly ephemeralNamespaces: readonly string[];
}

/** The options of the fuse. */
export function readFuseOptions(options: ResolvedOptions): FuseConfig {
  const part = (name: string) => options.number(name) / 100;
  return {
    limits: {
      strong: options.number("fuse-strong"),
      strongShare: part("fuse-strong-share"),
      namespaceShare: part("fuse-namespace-share"),
      weak: options.number("fuse-weak"),
      weakShare: part("fuse-weak-share"),
      free: options.number("fuse-free"),
      holdsWholeKinds: options.flag("fuse-whole-kind"),
    },
    ephemeralNamespaces: options.list("fuse-ephemeral-namespaces"),
  };
}
