import type { Plugin } from "esbuild";

/**
 * A script that node runs by itself, removed at the end of this process; `name` tells it from
 * others of the process.
 */
export function bundled(
  entry: string,
  name: string,
  options?: { readonly sourcemap?: boolean; readonly plugins?: Plugin[] },
): Promise<string>;
