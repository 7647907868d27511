/**
 * What a session of a DNSProvider may use: from a namespace that is not trusted no connection leads
 * to internal addresses, and its troubles read alike (Z-29).
 */
import type { Net } from "@zonekeeper/base/ports/net";
import { isInternalAddress } from "../../model/internal-address.ts";
import type { ProviderEnvironment } from "../../providers/provider.ts";

/** What accounts are opened with. */
export interface AccountEnvironment extends ProviderEnvironment {
  /** Whether DNSProviders of this namespace may name any address; absent = all may. */
  readonly trusts?: (namespace: string) => boolean;
  /** Parts of a process have accounts of their own; absent or empty = there is one part. */
  readonly part?: string;
}

/** As it is for a namespace that is trusted, else the guarded one. */
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
