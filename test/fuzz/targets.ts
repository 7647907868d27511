/** The list of fuzz targets. */
import { API_TARGETS } from "./api-targets.ts";
import type { FuzzTarget } from "./target.ts";
import { WIRE_TARGETS } from "./wire-targets.ts";
import { ZONE_TARGETS } from "./zone-targets.ts";

/** All of them; names are unique. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  ...WIRE_TARGETS,
  ...ZONE_TARGETS,
  ...API_TARGETS,
];
