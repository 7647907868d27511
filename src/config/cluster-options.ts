/**
 * The clusters that the program works for, and which controllers run there: rows of the table, and
 * as they are read. Pure.
 */
import { fail, ok } from "@zonekeeper/base/result";
import { CLIENTS } from "./option.ts";
import { namespaceName, type OptionReader, type ReadText } from "./option-reader.ts";
import { flag, list, RUN, rows, text } from "./option-row.ts";
import type { ResolvedOptions } from "./resolved-options.ts";

const keepsDefinitions = (what: string) =>
  flag(
    `Leave the CustomResourceDefinitions of the ${what} cluster to others: install none, and bring none up to date.`,
  );

/** In the order of the help text. */
export const CLUSTER_OPTIONS = rows(RUN, {
  kubeconfig: text(
    "Kubeconfig of the cluster in which the instance runs. Default: $KUBECONFIG, else ~/.kube/config.",
    {
      docFor: {
        run: "Kubeconfig of the source cluster (Services, Ingresses). Default: $KUBECONFIG, else the pod's service account, else ~/.kube/config.",
      },
      commands: [...RUN, ...CLIENTS],
    },
  ),
  "kubeconfig.id": text("Id of the source cluster. Default: the UID of its kube-system namespace."),
  "kubeconfig.disable-deploy-crds": keepsDefinitions("source"),
  target: text("Kubeconfig of the target cluster (DNSEntry). Default: the source cluster."),
  "target.id": text("Id of the target cluster. Default: the UID of its kube-system namespace."),
  "target.disable-deploy-crds": keepsDefinitions("target"),
  providers: text(
    "Kubeconfig of the provider cluster (DNSProvider, Secret). Default: the target cluster.",
  ),
  "providers.id": text(
    "Id of the provider cluster. Default: the UID of its kube-system namespace.",
  ),
  "providers.disable-deploy-crds": keepsDefinitions("provider"),
  coordination: text(
    "Kubeconfig of the cluster of the Lease, and of the ConfigMaps with what has to outlive a restart. Default: the cluster of the pod, else the source cluster.",
  ),
  maintainer: text(
    "Whose the CustomResourceDefinitions are that run installs and brings up to date: their annotation crds.gardener.cloud/maintainer.",
    { default: "zonekeeper" },
  ),
  "accepted-maintainers": list(
    "Maintainers whose CustomResourceDefinitions run replaces with its own.",
  ),
  "force-crd-update": flag(
    "Replace CustomResourceDefinitions that have another maintainer or none.",
  ),
  "provider-trusted-namespaces": list(
    "Namespaces whose DNSProviders may name any server; those of others reach no loopback, link-local or metadata address. * = all. Default: the namespace where the program runs.",
  ),
  namespace: text(
    "Namespace of the installation. Default: all are searched for the one that there is.",
    {
      docFor: { run: "Look at this namespace only, in every cluster. Default: all namespaces." },
      commands: [...RUN, ...CLIENTS],
    },
  ),
  controllers: list("Which controllers run. compound = DNSProvider and DNSEntry.", {
    default: "all",
    choices: ["all", "compound"],
    furtherChoices: "the groups dnscontrollers and dnssources, a type of DNSProviders",
    plugIns: "controllers",
  }),
  "provider-types": list(
    "Types of the DNSProviders that this process serves. Those of other types, and the DNSEntries that they serve, are left to other processes.",
    { default: "all", choices: ["all"], plugIns: "providerTypes" },
  ),
});

/** Where one logical cluster is. */
export interface ClusterConfig {
  /** Path; null = fall back as docs/architecture.md#clusters says. */
  readonly kubeconfig: string | null;
  /** Null = the UID of the cluster's kube-system namespace. */
  readonly id: string | null;
  /** False = its definitions are left to others. */
  readonly deploysDefinitions: boolean;
}

/** Whose CustomResourceDefinitions are brought up to date. */
export interface MaintainerConfig {
  /** Ours. */
  readonly maintainer: string;
  /** Others, which become ours. */
  readonly accepted: readonly string[];
  /** True = all others become ours. */
  readonly force: boolean;
}

/** Clusters, and what of them is served. */
export interface ClustersConfig {
  readonly source: ClusterConfig;
  readonly target: ClusterConfig;
  readonly providers: ClusterConfig;
  /** Path; null = the cluster of the pod, else the source cluster. */
  readonly coordination: string | null;
  readonly definitions: MaintainerConfig;
  /** Empty = that where the program runs; `*` = all. */
  readonly trustedNamespaces: readonly string[];
  /** Null = all. */
  readonly namespace: string | null;
  /** `compound`, and names of sources. */
  readonly controllers: ReadonlySet<string>;
  /** Of the DNSProviders that are served; null = all. */
  readonly providerTypes: ReadonlySet<string> | null;
}

/** All of them. */
export function readClusters(reader: OptionReader): ClustersConfig {
  const { options } = reader;
  const types = options.list("provider-types");
  return {
    source: readCluster(reader, "kubeconfig"),
    target: readCluster(reader, "target"),
    providers: readCluster(reader, "providers"),
    coordination: options.text("coordination"),
    definitions: {
      maintainer: options.needText("maintainer"),
      accepted: options.list("accepted-maintainers"),
      force: options.flag("force-crd-update"),
    },
    trustedNamespaces: options.list("provider-trusted-namespaces"),
    namespace: reader.one("namespace", namespaceName),
    controllers: readControllers(options),
    providerTypes: types.includes("all") ? null : new Set(types),
  };
}

function readCluster(
  reader: OptionReader,
  name: "kubeconfig" | "target" | "providers",
): ClusterConfig {
  const { options } = reader;
  // Entries of another cluster name the cluster of their object.
  const isNamed = name !== "providers" && options.text("target") !== null;
  return {
    kubeconfig: options.text(name),
    id: isNamed ? reader.one(`${name}.id`, clusterId) : options.text(`${name}.id`),
    deploysDefinitions: !options.flag(`${name}.disable-deploy-crds`),
  };
}

/** The owners annotation of entries in another cluster: `cluster:group/Kind/namespace/name`, … */
const clusterId: ReadText<string> = (text) => {
  const why = `cannot be read back from the annotation that links entries to objects of another cluster: write it without ":", "/" and commas`;
  return /[:/,]/.test(text) ? fail(`${JSON.stringify(text)} ${why}`) : ok(text);
};

/** `all` means `compound` and the sources that are on by default. */
export function readControllers(options: ResolvedOptions): ReadonlySet<string> {
  const given = options.list("controllers");
  const { controllers } = options.plugIns;
  const all = ["compound", ...controllers.filter((one) => one.isDefault).map(({ name }) => name)];
  return new Set(given.flatMap((name) => (name === "all" ? all : name)));
}
