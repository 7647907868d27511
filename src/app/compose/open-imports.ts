/** Opens the import of hosts from zones into ServiceEntries of a cluster. */
import type { StartQueue } from "@zonekeeper/kube/ports/work-queue";
import type { ImportRules } from "../../model/imports.ts";
import { ImportController } from "../../source-controllers/imports/import-controller.ts";
import type { Engine } from "../../sync/engine.ts";
import type { ProgramPorts } from "../ports/real-ports.ts";
import type { ClusterAccess } from "./controllers-options.ts";
import { warnProviders } from "./open-guards.ts";

interface ImportOptions {
  /** Absent = none. */
  readonly imports?: readonly ImportRules[];
  /** The first one is the cluster of the ServiceEntries. */
  readonly sourceClusters: readonly ClusterAccess[];
  readonly provider: ClusterAccess;
  readonly startQueue: StartQueue;
  readonly ports: ProgramPorts;
}

/** The controller of the imports; null = none is configured. */
export function openImports(
  { imports = [], sourceClusters: [cluster], provider, startQueue, ports }: ImportOptions,
  engine: Engine,
): ImportController | null {
  if (imports.length === 0 || cluster === undefined) return null;
  const onTrouble = (name: string, message: string): void => {
    const zones = engine
      .status()
      .filter(({ zone: { id, name: apex } }) => [id, apex].includes(name));
    const ids = new Set(zones.flatMap(({ providers = [] }) => providers));
    warnProviders(provider, ids, { reason: "ImportTrouble", message: `zone ${name}: ${message}` });
  };
  const zones = engine.views;
  return new ImportController({ ...cluster, ...ports, imports, zones, startQueue, onTrouble });
}
