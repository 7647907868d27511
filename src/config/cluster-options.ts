/** Options of the clusters that the program works for: rows of the table. */
import type { CommandName, Option } from "./option.ts";
import { option } from "./option-row.ts";

const RUN: readonly CommandName[] = ["run"];

/** In the order of the help text. */
export const CLUSTER_OPTIONS: readonly Option[] = [
  option({
    name: "kubeconfig",
    type: "text",
    doc: "Kubeconfig of the source cluster (Services, Ingresses). Default: $KUBECONFIG, else the pod's service account, else ~/.kube/config.",
    commands: RUN,
  }),
  option({
    name: "kubeconfig.id",
    type: "text",
    doc: "Id of the source cluster. Default: the UID of its kube-system namespace.",
    commands: RUN,
  }),
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
  option({
    name: "coordination",
    type: "text",
    doc: "Kubeconfig of the cluster of the Lease, and of the ConfigMaps with what has to outlive a restart. Default: the cluster of the pod, else the source cluster.",
    commands: RUN,
  }),
];
