/** Every difference that is known, with its reason. One that is not here fails; one that is gone fails too. */
import type { Explained } from "./judge.ts";

const KINDS = "configmap endpoints node pod ingress-class endpoint-slice"
  .split(" ")
  .flatMap((word) => [`${word}-*`, `form-${word}-*`])
  .join(" ");

/** See above; the first that matches counts. */
export const DIFFERENCES: readonly Explained[] = [
  { steps: KINDS, paths: "*", reason: "not built yet", why: "h/kinds serves these kinds" },
  {
    steps: "apply-* force-without-apply applied-delete manager-too-long",
    paths: "*",
    reason: "not built yet",
    why: "h/apply: server-side apply and its options",
  },
  {
    steps: "*",
    paths: "*managedFields",
    reason: "not built yet",
    why: "h/apply: owners of fields",
  },
];
