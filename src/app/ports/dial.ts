/**
 * Plain TCP sockets for the Net port. Half-open ones: the end of what the peer sends is not the end
 * of what it reads.
 */
import { connect as dial, type Socket } from "node:net";
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { lookupFor, type MayDial } from "./guarded-lookup.ts";

/** Options of every socket, in both directions. */
export const HALF_OPEN = { allowHalfOpen: true, noDelay: true } as const;

/** A client socket that emits `connect`. */
export function dialPlain(to: SocketAddress, mayDial?: MayDial): Socket {
  return dial({ host: to.host, port: to.port, ...HALF_OPEN, ...lookupFor(mayDial) });
}
