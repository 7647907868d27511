/**
 * The network of dev's controllers: the embedded name server is reached inside the process. Other
 * clients of the server may use up its connections; changes are published all the same.
 */
import type { Net, SocketAddress } from "@zonekeeper/base/ports/net";
import type { NameServer } from "@zonekeeper/dns/name-server/name-server";

/** `net`, but for plain TCP to `at`. */
export function ownNet(net: Net, at: SocketAddress, server: NameServer): Net {
  return {
    connectTcp: async (to, options) => {
      const isOwn = to.host === at.host && to.port === at.port && options.tls === undefined;
      return isOwn ? server.connect(at) : net.connectTcp(to, options);
    },
    listenTcp: (where, onConnection, tls) => net.listenTcp(where, onConnection, tls),
    bindUdp: (where, onDatagram) => net.bindUdp(where, onDatagram),
  };
}
