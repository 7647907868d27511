/** API servers that the embedding program has opened, in place of kubeconfigs. */
import type { HttpClient } from "@zonekeeper/base/ports/http";

/** By what they are for. */
export type ClusterApis = Readonly<Partial<Record<"source" | "target" | "providers", HttpClient>>>;
