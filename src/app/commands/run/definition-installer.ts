/**
 * Installs the CustomResourceDefinitions that `run` needs in its clusters, where they are missing,
 * and updates its own ones; it never changes one that somebody else maintains (ADR 0052). A failure
 * ends nothing: the review of needs (needs-watch.ts) reports what is missing.
 */
import { isRefusal, messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import { CUSTOM_RESOURCE_DEFINITION } from "@zonekeeper/kube/objects/kinds";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import type { MaintainerConfig } from "../../../config/cluster-options.ts";
import { judgeDefinition, type WantedDefinition, writtenDefinition } from "./own-definitions.ts";
import type { LogicalCluster } from "./right-facts.ts";

/** Everything that an installer works with. */
export interface DefinitionInstallerOptions {
  readonly wanted: readonly WantedDefinition[];
  readonly rules: MaintainerConfig;
  readonly writers: Readonly<Record<LogicalCluster, Pick<ClusterWriter, Used>>>;
  readonly log: Log;
}

type Used = "read" | "create" | "update";

/**
 * There is one for the life of the process: a definition that is removed while it runs is not
 * installed again.
 */
export class DefinitionInstaller {
  readonly #options: DefinitionInstallerOptions;
  #open: readonly WantedDefinition[];

  constructor(options: DefinitionInstallerOptions) {
    this.#options = options;
    this.#open = options.wanted;
  }

  /**
   * Handles all definitions that are not settled. False = some still are not: a cluster did not
   * answer.
   */
  async settle(): Promise<boolean> {
    const tried = await Promise.all(
      this.#open.map(async (one) => ({ one, isSettled: await this.#try(one) })),
    );
    this.#open = tried.filter(({ isSettled }) => !isSettled).map(({ one }) => one);
    return this.#open.length === 0;
  }

  async #try(one: WantedDefinition): Promise<boolean> {
    try {
      return await this.#install(one);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      const isFinal = isRefusal(error);
      if (isFinal) {
        const remedy =
          "give the right (deploy/rbac/), or run kubectl apply -f deploy/crds/ for each version and say so: --kubeconfig.disable-deploy-crds, and the same of --target and --providers";
        this.#options.log.warn("definition is not looked after", {
          ...nameOf(one),
          ...{ reason: messageOf(error), remedy },
        });
      }
      return isFinal;
    }
  }

  async #install(one: WantedDefinition): Promise<boolean> {
    const { rules, writers, log } = this.#options;
    const { cluster, name } = one;
    const writer = writers[cluster];
    const ref = { kind: CUSTOM_RESOURCE_DEFINITION, namespace: "", name };
    const present = await writer.read(ref);
    // It is being deleted: it can be created again when its objects are gone.
    if (present?.metadata.deletionTimestamp !== undefined) return false;
    const judged = judgeDefinition(present, rules);
    if (judged.act === "keep") return true;
    if (judged.act === "leave") {
      const { maintainer } = judged;
      const flag =
        maintainer === "" ? "--force-crd-update" : `--accepted-maintainers ${maintainer}`;
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
}

function nameOf({ cluster, name }: WantedDefinition): Readonly<Record<string, string>> {
  return { definition: name, cluster };
}
