import type { Plugin } from "esbuild";

/** Finds packages of this repository, which are TypeScript, so that they are bundled. */
export const ownPackages: Plugin;

/**
 * A script that node runs by itself, removed at the end of this process; `name` tells it from
 * others of the process.
 */
export function bundled(
  entry: string,
  name: string,
  options?: { readonly sourcemap?: boolean; readonly plugins?: Plugin[] },
): Promise<string>;
