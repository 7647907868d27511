/** Options of the election of a leader: rows of the table. */
import type { CommandName, Option } from "./option.ts";
import { option } from "./option-row.ts";

const RUN: readonly CommandName[] = ["run"];
const HOUR_MS = 3_600_000;

/** In the order of the help text. */
export const LEASE_OPTIONS: readonly Option[] = [
  option({
    name: "lease-name",
    aliases: ["lease-resource-name"],
    type: "text",
    default: "zonekeeper",
    doc: "Name of the Lease that decides which replica works.",
    commands: RUN,
  }),
  option({
    name: "lease-namespace",
    type: "text",
    doc: "Namespace of the Lease. Default: the namespace of the kubeconfig's context or of the pod, else default.",
    commands: RUN,
  }),
  option({
    name: "lease-duration",
    type: "duration",
    default: "15s",
    min: 1000,
    max: HOUR_MS,
    doc: "How long a Lease is good without renewal. Longer than lease-renew-deadline.",
    commands: RUN,
  }),
  option({
    name: "lease-renew-deadline",
    type: "duration",
    default: "10s",
    min: 500,
    max: HOUR_MS,
    doc: "How long the holder tries to renew before it stops working. Longer than twice lease-retry-period.",
    commands: RUN,
  }),
  option({
    name: "lease-retry-period",
    type: "duration",
    default: "2s",
    min: 100,
    max: HOUR_MS,
    doc: "How long to wait between two tries.",
    commands: RUN,
  }),
  option({
    name: "omit-lease",
    type: "flag",
    default: "false",
    doc: "Work without a Lease. Only where no second replica can run.",
    commands: RUN,
  }),
];
