/** The DNSOwners of the target cluster: which owner ids are ours besides that of the group. */
import { OwnerController } from "../gardener/dns-owner/owner-controller.ts";
import type { ComposeOptions } from "./compose.ts";

/** `onChange`: other ids are to be on or off. */
export function openOwners(options: ComposeOptions, onChange: () => void): OwnerController {
  const { target, startQueue, publish, owner, ports } = options;
  const { resolver, clock, log } = ports;
  return new OwnerController({
    ...target,
    ...{ resolver, clock, log, startQueue, onChange },
    dnsClass: publish.dnsClass,
    mainOwner: owner,
  });
}
