/**
 * Whether an address may be dialled is decided on the address itself, as the name is looked up for
 * this very connection: a name that leads elsewhere a moment later gains nothing.
 */
import { type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction, type TcpNetConnectOpts } from "node:net";

/** Asked for an IP address. */
export type MayDial = (address: string) => boolean;

/** The failure for an address that may not be dialled. */
export class NotDialled extends Error {
  constructor() {
    super(
      "loopback, link-local and metadata addresses are not dialled for a namespace that is not in --provider-trusted-namespaces",
    );
  }
}

/** True for an IP address that may not be dialled; for it nothing is looked up. */
export function isRefusedLiteral(host: string, mayDial: MayDial | undefined): boolean {
  return mayDial !== undefined && isIP(host) !== 0 && !mayDial(host);
}

/** Options of a socket that dials what may be dialled only. */
export function lookupFor(mayDial: MayDial | undefined): Pick<TcpNetConnectOpts, "lookup"> {
  return mayDial === undefined ? {} : { lookup: guardedLookup(mayDial) };
}

/**
 * An address of the host that may be dialled, for whoever lets somebody else dial. Rejects with
 * NotDialled, or as the lookup does.
 */
export function addressOf(host: string, mayDial: MayDial): Promise<string> {
  if (isIP(host) !== 0) return Promise.resolve(host);
  return new Promise((resolve, reject) => {
    guardedLookup(mayDial)(host, {}, (error, address) => {
      if (error !== null || typeof address !== "string") reject(error ?? new NotDialled());
      else resolve(address);
    });
  });
}

function guardedLookup(mayDial: MayDial): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const allowed = (found ?? []).filter(({ address }) => mayDial(address));
      const [first] = allowed;
      const failure = error ?? (first === undefined ? new NotDialled() : null);
      if (failure !== null || first === undefined) done(failure ?? new NotDialled(), []);
      else if (options.all === true) done(null, allowed satisfies LookupAddress[]);
      else done(null, first.address, first.family);
    });
  };
}
