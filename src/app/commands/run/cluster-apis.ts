/**
 * HTTP clients of API servers that an embedding program (a test, a plugin) has opened, in place of
 * kubeconfigs.
 */
import type { HttpClient } from "@zonekeeper/base/ports/http";

/** By the use of the cluster. */
export type ClusterApis = Readonly<Partial<Record<"source" | "target" | "providers", HttpClient>>>;
