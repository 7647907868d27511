/**
 * Decides which of our CustomResourceDefinitions the clusters of `run` need, and what may be done
 * with an existing one, by its maintainer annotation (ADR 0052). Pure.
 */
import { type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { MaintainerConfig } from "../../../config/cluster-options.ts";
import type { RunConfig } from "../../../config/run-config.ts";
import { needsOf } from "./cluster-needs.ts";
import {
  DEFINITION_VERSION,
  definitionOf,
  MAINTAINER,
  OUR_VERSION,
  OWN_DEFINITIONS,
} from "./definitions.ts";
import { actualCluster, type LogicalCluster } from "./right-facts.ts";

/** A definition that one cluster needs. */
export interface WantedDefinition {
  /** The cluster itself, where a use falls back to another cluster. */
  readonly cluster: LogicalCluster;
  readonly name: string;
}

/**
 * The definitions to look after, each once; none in clusters whose definitions are left to others,
 * and none in a dry run.
 */
export function wantedDefinitions(config: RunConfig): readonly WantedDefinition[] {
  if (config.publish.dryRun) return [];
  const disabled = new Set(
    (["source", "target"] as const).flatMap((cluster) =>
      config[cluster].deploysDefinitions ? [] : [actualCluster(cluster, config)],
    ),
  );
  if (!config.providers.deploysDefinitions) disabled.add(actualCluster("provider", config));
  const wanted = needsOf(config, "").flatMap((need) => {
    const name = kindText(need.kind);
    return OWN_DEFINITIONS.includes(name) ? [{ cluster: need.cluster, name }] : [];
  });
  const each = new Map(wanted.map((one) => [`${one.cluster} ${one.name}`, one]));
  return [...each.values()].filter(({ cluster }) => !disabled.has(cluster));
}

/** The decision about one definition in a cluster. */
export type DefinitionAct =
  | { readonly act: "create" }
  /** `maintainer`: whose it was until now. */
  | { readonly act: "update"; readonly maintainer: string }
  /** Ours, of this version or a later one. */
  | { readonly act: "keep" }
  /** It belongs to somebody else; empty = it does not say to whom. */
  | { readonly act: "leave"; readonly maintainer: string };

/** `present`: null = it is missing. */
export function judgeDefinition(
  present: KubeObject | null,
  { maintainer: own, accepted, force }: MaintainerConfig,
): DefinitionAct {
  if (present === null) return { act: "create" };
  const annotations = present.metadata.annotations ?? {};
  const maintainer = annotations[MAINTAINER] ?? "";
  if (maintainer === own) {
    const version = Number.parseInt(annotations[DEFINITION_VERSION] ?? "", 10);
    // clause: definition-is-as-new
    return version >= OUR_VERSION ? { act: "keep" } : { act: "update", maintainer };
  }
  const mayBeReplaced = force || /* clause: maintainer-is-accepted */ accepted.includes(maintainer);
  // clause: foreign-definition-stays
  return { act: mayBeReplaced ? "update" : "leave", maintainer };
}

/** The definition to write, in place of `present` if that is not null. */
export function writtenDefinition(
  name: string,
  { maintainer }: MaintainerConfig,
  present: KubeObject | null,
): KubeObject {
  const { apiVersion, kind, metadata, spec } = definitionOf(name);
  const annotations = {
    ...present?.metadata.annotations,
    ...metadata.annotations,
    [MAINTAINER]: maintainer,
  };
  const kept = present?.metadata ?? { name: metadata.name };
  return { apiVersion, kind, metadata: { ...kept, annotations }, spec };
}
