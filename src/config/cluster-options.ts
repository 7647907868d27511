/** Options of the clusters that the program works for: rows of the table. */
import { CLIENTS } from "./client-options.ts";
import type { CommandName, Option } from "./option.ts";
import { option } from "./option-row.ts";

const RUN: readonly CommandName[] = ["run"];

const keepsDefinitions = (cluster: string, what: string): Option =>
  option({
    name: `${cluster}.disable-deploy-crds`,
    type: "flag",
    default: "false",
    doc: `Leave the CustomResourceDefinitions of the ${what} cluster to others: install none, and bring none up to date.`,
    commands: RUN,
  });

/** In the order of the help text. */
export const CLUSTER_OPTIONS: readonly Option[] = [
  option({
    name: "kubeconfig",
    type: "text",
    doc: "Kubeconfig of the cluster in which the instance runs. Default: $KUBECONFIG, else ~/.kube/config.",
    docFor: {
      run: "Kubeconfig of the source cluster (Services, Ingresses). Default: $KUBECONFIG, else the pod's service account, else ~/.kube/config.",
    },
    commands: [...RUN, ...CLIENTS],
  }),
  option({
    name: "kubeconfig.id",
    type: "text",
    doc: "Id of the source cluster. Default: the UID of its kube-system namespace.",
    commands: RUN,
  }),
  keepsDefinitions("kubeconfig", "source"),
  option({
    name: "target",
    type: "text",
    doc: "Kubeconfig of the target cluster (DNSEntry). Default: the source cluster.",
    commands: RUN,
  }),
  option({
    name: "target.id",
    type: "text",
    doc: "Id of the target cluster. Default: the UID of its kube-system namespace.",
    commands: RUN,
  }),
  keepsDefinitions("target", "target"),
  option({
    name: "providers",
    type: "text",
    doc: "Kubeconfig of the provider cluster (DNSProvider, Secret). Default: the target cluster.",
    commands: RUN,
  }),
  option({
    name: "providers.id",
    type: "text",
    doc: "Id of the provider cluster. Default: the UID of its kube-system namespace.",
    commands: RUN,
  }),
  keepsDefinitions("providers", "provider"),
  option({
    name: "coordination",
    type: "text",
    doc: "Kubeconfig of the cluster of the Lease, and of the ConfigMaps with what has to outlive a restart. Default: the cluster of the pod, else the source cluster.",
    commands: RUN,
  }),
  option({
    name: "maintainer",
    type: "text",
    doc: "Whose the CustomResourceDefinitions are that run installs and brings up to date: their annotation crds.gardener.cloud/maintainer.",
    commands: RUN,
    default: "zonekeeper",
  }),
  option({
    name: "accepted-maintainers",
    type: "list",
    doc: "Maintainers whose CustomResourceDefinitions run replaces with its own.",
    commands: RUN,
  }),
  option({
    name: "force-crd-update",
    type: "flag",
    default: "false",
    doc: "Replace CustomResourceDefinitions that have another maintainer or none.",
    commands: RUN,
  }),
];
