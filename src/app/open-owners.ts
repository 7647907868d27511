/** Opens the controller of DNSOwners for the program. */
import { OwnerController } from "../gardener/dns-owner/owner-controller.ts";
import type { ComposeOptions } from "./compose.ts";

/** `onChange`: other owner ids are to be on or off. */
export function openOwners(options: ComposeOptions, onChange: () => void): OwnerController {
  const { resolver, clock, log } = options.ports;
  return new OwnerController({
    ...options.target,
    resolver,
    clock,
    log,
    startQueue: options.startQueue,
    dnsClass: options.publish.dnsClass,
    mainOwner: options.owner,
    onChange,
  });
}
