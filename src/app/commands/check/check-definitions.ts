/**
 * The part of `zonekeeper check` that says what `run` would do with CustomResourceDefinitions:
 * install, replace, or leave them to others.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { isAllowed } from "@zonekeeper/kube/client/access/reviews";
import { CUSTOM_RESOURCE_DEFINITION } from "@zonekeeper/kube/objects/kinds";
import type { RunConfig } from "../../../config/run-config.ts";
import { type Connections, clientsOf, writersOf } from "../run/open-clusters.ts";
import {
  type DefinitionAct,
  judgeDefinition,
  type WantedDefinition,
  wantedDefinitions,
} from "../run/own-definitions.ts";
import type { Finding } from "./finding.ts";

/** The findings about the definitions, and which ones `run` will write by itself. */
export interface DefinitionFindings {
  readonly findings: readonly Finding[];
  /**
   * The ones that `run` writes itself, cluster and name: `target dnsentries.dns.gardener.cloud`.
   */
  readonly comes: ReadonlySet<string>;
}

/**
 * There is one finding for each definition that `run` looks after; none where it may not read or
 * write it.
 */
export async function checkDefinitions(
  config: RunConfig,
  connections: Connections,
): Promise<DefinitionFindings> {
  const wanted = wantedDefinitions(config);
  const each = await Promise.all(wanted.map((one) => findingOf(one, config, connections)));
  return {
    findings: each.flatMap((one) => (one === null ? [] : [one.finding])),
    comes: new Set(each.flatMap((one) => (one?.comes === true ? [one.key] : []))),
  };
}

async function findingOf(
  { cluster, name }: WantedDefinition,
  config: RunConfig,
  connections: Connections,
): Promise<{ readonly key: string; readonly finding: Finding; readonly comes: boolean } | null> {
  const client = clientsOf(connections)[cluster];
  const access = { kind: CUSTOM_RESOURCE_DEFINITION, subresource: null, namespace: null };
  try {
    const ref = { kind: CUSTOM_RESOURCE_DEFINITION, namespace: "", name };
    const judged = judgeDefinition(
      await writersOf(connections)[cluster].read(ref),
      config.definitions,
    );
    const verb = judged.act;
    const writes = verb === "create" || verb === "update";
    const named = verb === "create" ? null : name;
    if (writes && !(await isAllowed(client, { ...access, verb, name: named }))) return null;
    const message = messageOf(judged, cluster);
    const finding: Finding = { subject: `definition ${name}`, state: "ok", message };
    return { key: `${cluster} ${name}`, finding, comes: writes };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return null;
  }
}

function messageOf(judged: DefinitionAct, cluster: string): string {
  switch (judged.act) {
    case "create":
      return `is missing in the ${cluster} cluster; run installs it`;
    case "update":
      return `is maintained by ${whose(judged.maintainer)}; run replaces it with the one of this version`;
    case "keep":
      return "is ours, of this version or a later one";
    case "leave":
      return `is maintained by ${whose(judged.maintainer)} (annotation crds.gardener.cloud/maintainer); run leaves it as it is, unless ${judged.maintainer === "" ? "--force-crd-update" : `--accepted-maintainers ${judged.maintainer}`} is given`;
  }
}

function whose(maintainer: string): string {
  return maintainer === "" ? "nobody that it names" : maintainer;
}
