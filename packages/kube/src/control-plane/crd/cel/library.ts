/** The CEL library with the functions of Kubernetes. Knows nothing of schemas. */
import { Environment } from "@marcbachmann/cel-js";
import { withFunctions } from "./functions.ts";
import { withFormats } from "./named-formats.ts";

/** Limits of one expression: parsing is bounded by them. */
const LIMITS = {
  maxAstNodes: 5_000,
  maxDepth: 100,
  maxListElements: 500,
  maxMapEntries: 500,
  maxCallArguments: 16,
};

/** The environment without variables. Clone it to declare some. */
export const CEL = withFormats(
  withFunctions(
    new Environment({
      enableOptionalTypes: true,
      homogeneousAggregateLiterals: false,
      limits: LIMITS,
    }),
  ),
);
