/**
 * Decides which of our CustomResourceDefinitions the clusters of `run` need, and what may be done
 * with an existing one, by its maintainer annotation (ADR 0052); installs those that are missing,
 * and updates our own ones. A failure ends nothing: the review of needs (needs-watch.ts) reports
 * what is missing.
 */

import { isRefusal, messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import { CUSTOM_RESOURCE_DEFINITION } from "@zonekeeper/kube/objects/kinds";
import { type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
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
  const wanted = needsOf("run", config).flatMap((need) => {
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

/** Everything that definitions are installed with. */
export interface InstallOptions {
  readonly wanted: readonly WantedDefinition[];
  readonly rules: MaintainerConfig;
  readonly connections: Readonly<
    Record<LogicalCluster, { readonly writer: Pick<ClusterWriter, "read" | "create" | "update"> }>
  >;
  readonly log: Log;
}

/**
 * Each call handles the definitions that are not settled yet; false = some still are not: a cluster
 * did not answer. A definition that is removed later is not installed again.
 */
export function definitionInstaller(options: InstallOptions): () => Promise<boolean> {
  let open = options.wanted;
  return async () => {
    const settled = await Promise.all(open.map((one) => settle(one, options)));
    open = open.filter((_, index) => settled[index] !== true);
    return open.length === 0;
  };
}

/** True = nothing more is to be done about it: it is as it should be, or may not be written. */
async function settle(one: WantedDefinition, options: InstallOptions): Promise<boolean> {
  try {
    return await install(one, options);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const isFinal = isRefusal(error);
    if (isFinal) {
      const remedy =
        "give the right (deploy/rbac/), or run kubectl apply -f deploy/crds/ for each version and say so: --kubeconfig.disable-deploy-crds, and the same of --target and --providers";
      options.log.warn("definition is not looked after", {
        ...nameOf(one),
        ...{ reason: messageOf(error), remedy },
      });
    }
    return isFinal;
  }
}

async function install(
  one: WantedDefinition,
  { rules, connections, log }: InstallOptions,
): Promise<boolean> {
  const { cluster, name } = one;
  const { writer } = connections[cluster];
  const ref = { kind: CUSTOM_RESOURCE_DEFINITION, namespace: "", name };
  const present = await writer.read(ref);
  // It is being deleted: it can be created again when its objects are gone.
  if (present?.metadata.deletionTimestamp !== undefined) return false;
  const judged = judgeDefinition(present, rules);
  if (judged.act === "keep") return true;
  if (judged.act === "leave") {
    const { maintainer } = judged;
    const flag = maintainer === "" ? "--force-crd-update" : `--accepted-maintainers ${maintainer}`;
    log.info("definition of others is left as it is", {
      ...nameOf(one),
      ...{ maintainer: maintainer || "none", remedy: `to let run replace it: ${flag}` },
    });
    return true;
  }
  const written = writtenDefinition(name, rules, present);
  if (judged.act === "create") await writer.create(CUSTOM_RESOURCE_DEFINITION, written);
  else await writer.update(CUSTOM_RESOURCE_DEFINITION, written);
  const text = judged.act === "create" ? "definition installed" : "definition brought up to date";
  log.info(text, nameOf(one));
  return true;
}

function nameOf({ cluster, name }: WantedDefinition): Readonly<Record<string, string>> {
  return { definition: name, cluster };
}
