import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { providerFacts } from "../../../test/support/values/provider-facts.ts";
import type { Zone } from "../../model/zone.ts";
import type { CutOf } from "./choose-zone.ts";
import type { ProviderFacts } from "./provider-facts.ts";
import { undelegatedZones } from "./undelegated-zones.ts";

const PARENT = "example.org";
const CHILD = "sub.example.org";
const CHILD_SERVER = "ns.sub.example.org";

function facts(id: string, zone: string, more: Partial<Zone> = {}): ProviderFacts {
  const name = trustedDnsName(zone);
  const zones = [{ id: zone, name, providerType: "memory", endpoint: "here", view: "", ...more }];
  return providerFacts({ id: `default/${id}`, account: id, zones, explicit: [zone] });
}

/** The parent delegates the child to these servers; null = it does not, "unread" = not known. */
function cuts(servers: readonly string[] | null | "unread"): CutOf {
  return ({ zone }, name) => {
    if (zone === CHILD) return { at: trustedDnsName(CHILD), servers: [CHILD_SERVER] };
    if (servers === "unread") return null;
    const isCut = servers !== null && (name === CHILD || name.endsWith(`.${CHILD}`));
    return isCut
      ? { at: trustedDnsName(CHILD), servers }
      : { at: trustedDnsName(PARENT), servers: ["ns.example.org"] };
  };
}

const [PARENTS, CHILDS] = [facts("net", PARENT), facts("sub", CHILD)];

test.each([null, ["ns.somebody.test"]])(
  "a zone below one of another DNSProvider that does not delegate it there (%j)",
  (servers) => {
    const [message, ...more] = undelegatedZones(CHILDS, [PARENTS], cuts(servers));
    expect(message).toMatch(
      /^zone sub\.example\.org lies below example\.org of DNSProvider default\/net, which does not delegate it .*add its NS records to example\.org$/,
    );
    expect(more).toEqual([]);
    expect(undelegatedZones(PARENTS, [CHILDS], cuts(servers))).toEqual([]);
  },
);

test.each<[string, ProviderFacts, ProviderFacts[], CutOf]>([
  ["that is delegated", CHILDS, [PARENTS], cuts([CHILD_SERVER])],
  ["below a zone that was not read yet", CHILDS, [PARENTS], cuts("unread")],
  ["with nothing above it", CHILDS, [facts("other", "example.net")], cuts(null)],
  ["that is private", facts("sub", CHILD, { visibility: "private" }), [PARENTS], cuts(null)],
  ["below a private zone", CHILDS, [facts("net", PARENT, { visibility: "private" })], cuts(null)],
])("no word about a zone %s", (_, provider, others, cutOf) => {
  expect(undelegatedZones(provider, others, cutOf)).toEqual([]);
});
