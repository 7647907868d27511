/** Opens the controller of DNSOwners for the program. */
import {
  OwnerController,
  type OwnerControllerOptions,
} from "../../gardener/dns-owner/owner-controller.ts";
import type { FurtherIds } from "../../sync/contract/fence-status.ts";
import type { ClusterAccess } from "./controllers-options.ts";

/** The parts of the program's options that it needs. */
export interface OwnersOptions extends Pick<OwnerControllerOptions, "startQueue"> {
  /** Owner id of this group. */
  readonly owner: string;
  readonly target: ClusterAccess;
  readonly publish: Pick<OwnerControllerOptions, "dnsClasses">;
  readonly ports: Pick<OwnerControllerOptions, "resolver" | "clock" | "log">;
}

/** `onChange` is called when other owner ids are switched on or off. */
export function openOwners(options: OwnersOptions, onChange: () => void): OwnerController {
  return new OwnerController({
    ...options.target,
    ...options.ports,
    startQueue: options.startQueue,
    dnsClasses: options.publish.dnsClasses,
    mainOwner: options.owner,
    onChange,
  });
}

/** The ids of a controller that is opened later than the engine that asks for them. */
export const furtherIdsOf = (owners: () => FurtherIds): FurtherIds => ({
  wanted: () => owners().wanted(),
  settled: (zone, waiting) => owners().settled(zone, waiting),
});
