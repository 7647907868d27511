/** The program with DNSOwners that switch owner ids, and entries that name one. */
import { DNS_ENTRY, DNS_OWNER } from "../../../src/model/kinds.ts";
import { objectOf, type ProgramOptions, programWorld } from "./program-world.ts";

const API = "dns.gardener.cloud/v1alpha1";

/** `zone`: its records before the first start, as `zone-text.ts` writes them. */
export function ownerWorld(zone = "", options: ProgramOptions = {}) {
  const made = programWorld({ controllers: ["compound"], zone, ...options });
  const { cluster, clock } = made;
  const owner = (name: string, spec: object) =>
    cluster.apply(DNS_OWNER, {
      ...{ apiVersion: API, kind: "DNSOwner" },
      ...{ metadata: { name }, spec },
    });
  /** `NAME.example.org`; without an id it is of `--owner`. */
  const entry = (name: string, target: string, ownerId?: string) => {
    const spec = { dnsName: `${name}.example.org`, targets: [target], ownerId };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec }));
  };
  const statusOf = (name: string) => cluster.now(DNS_OWNER, "", name)?.["status"];
  const stateOf = (name: string) => cluster.now(DNS_ENTRY, "default", name)?.["status"];
  return { ...made, owner, entry, statusOf, stateOf, rest: () => clock.advance(60_000) };
}
