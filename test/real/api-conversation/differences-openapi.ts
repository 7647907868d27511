/** Where our OpenAPI describes a kind otherwise than kube-apiserver's, each with its reason. */
import type { Explained } from "./judge.ts";

/** Steps are kinds, paths are fields. */
export const OPENAPI_DIFFERENCES: readonly Explained[] = [];
