/**
 * The network that the session of a DNSProvider may use. For a namespace that is not trusted, no
 * connection leads to internal addresses, and each failed connection gives the same message, so
 * that its author cannot explore the network by DNSProviders (Z-29).
 */
import type { Net } from "@zonekeeper/base/ports/net";
import { isInternalAddress } from "../../model/addresses.ts";
import type { ProviderEnvironment } from "../../providers/provider.ts";

/** Everything that accounts are opened with. */
export interface AccountEnvironment extends ProviderEnvironment {
  /** Whether DNSProviders of this namespace may name any address; absent = all may. */
  readonly trusts?: (namespace: string) => boolean;
  /**
   * Name of the part of the process that opens the accounts: parts share none. Absent or empty =
   * the process is not divided.
   */
  readonly part?: string;
}

/** The given environment for a trusted namespace, else the guarded one. */
export function environmentFor(
  namespace: string,
  { trusts, part: _part, ...environment }: AccountEnvironment,
): ProviderEnvironment {
  if (trusts?.(namespace) ?? true) return environment;
  const { net, http } = environment;
  return {
    ...environment,
    net: guardedNet(net),
    http: (target) => http({ ...target, mayDial }),
    hidesTroubles: true,
  };
}

/** Connections that lead to no internal address. */
export function guardedNet(net: Net): Net {
  return {
    connectTcp: (to, options) => net.connectTcp(to, { ...options, mayDial }),
    listenTcp: (at, onConnection, tls) => net.listenTcp(at, onConnection, tls),
    bindUdp: (at, onDatagram) => net.bindUdp(at, onDatagram),
  };
}

function mayDial(address: string): boolean {
  return !isInternalAddress(address);
}
