import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { ObjectKey } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { ObjectFacts } from "../../plan/removal/absence-facts.ts";
import { judgeAbsence } from "../../plan/removal/table.ts";
import { renameOf } from "./renamed-names.ts";

const WEB: ObjectKey = { cluster: "c1", kind: "crd", namespace: "default", name: "web" };
const GONE: ObjectFacts = {
  who: "crd/default/web",
  proof: "object-omits-name",
  isAlive: true,
  whyUnknown: "",
};

const data = (name: string, type: string) => ({
  name: trustedDnsName(name),
  type,
  setIdentifier: null,
  ttlSeconds: 300,
  values: ["192.0.2.1"],
  properties: {},
  routingPolicy: null,
});

function owned(name: string, type = "A", { cluster } = WEB): OwnedRecordSet {
  const marker = { owner: "me", resource: "crd/default/web", cluster, labels: {}, record: null };
  const { setIdentifier, ...set } = data(name, type);
  const key = { name: set.name, type, setIdentifier };
  return { ...key, data: data(name, type), marker, contested: false };
}

function wanted(name: string, type = "A"): DesiredRecordSet {
  return {
    ...data(name, type),
    values: ["192.0.2.2"],
    provenance: WEB,
    owner: null,
    createdAtMs: 0,
  };
}

interface Story {
  readonly former: OwnedRecordSet;
  readonly wanted?: readonly DesiredRecordSet[];
  readonly records?: readonly OwnedRecordSet[] | null;
  readonly isGraceOver?: boolean;
}

/** The names that are still waited for, or "goes". */
function judged({ former, wanted: sets = [], records = [], isGraceOver = false }: Story) {
  const instead = new Set(["shop.example.org"]);
  const seen = renameOf(former, {
    renamed: () => ({ object: WEB, instead, isFollowed: true }),
    wantedAt: (name) => sets.filter((one) => one.name === name),
    recordsAt: (name) => records?.filter((one) => one.name === name) ?? null,
    isOwnedByUs: () => true,
    isGraceOver: () => isGraceOver,
  });
  const verdict = judgeAbsence({
    ...{ name: former.name, gate: null, listers: [], object: () => GONE },
    ...{ isMovedAway: false, isLeftBehind: false, servesCut: null, isOrdered: false },
    unpublished: () => seen?.unpublished ?? null,
  });
  const left = instead.size - (seen?.published.length ?? 0);
  return verdict.proven ? `goes, ${left}` : verdict.code;
}

const SHOP = "shop.example.org";
const HELD = "RenamedUnpublished";
const www = owned("www.example.org");

test.each<[string, Story, string]>([
  ["nothing is known of the new name", { former: www }, HELD],
  ["its zone is not read", { former: www, wanted: [wanted(SHOP)], records: null }, HELD],
  ["it is published", { former: www, wanted: [wanted(SHOP)], records: [owned(SHOP)] }, "goes, 0"],
  [
    "a namesake of another cluster has it",
    { former: www, wanted: [wanted(SHOP)], records: [owned(SHOP, "A", { ...WEB, cluster: "c2" })] },
    HELD,
  ],
  ["it wants another type there", { former: www, wanted: [wanted(SHOP, "TXT")] }, "goes, 1"],
  [
    "one type of two is published, and answers as this one",
    {
      former: www,
      wanted: [wanted(SHOP), wanted(SHOP, "TXT")],
      records: [owned(SHOP)],
    },
    "goes, 1",
  ],
  [
    "one type of two is published, which is the other one",
    {
      former: www,
      wanted: [wanted(SHOP), wanted(SHOP, "TXT")],
      records: [owned(SHOP, "TXT")],
    },
    HELD,
  ],
  [
    "addresses stand for each other",
    { former: owned("www.example.org", "AAAA"), wanted: [wanted(SHOP)], records: [owned(SHOP)] },
    "goes, 0",
  ],
  [
    "its own type waits, and the other kind of address is published",
    { former: www, wanted: [wanted(SHOP), wanted(SHOP, "AAAA")], records: [owned(SHOP, "AAAA")] },
    HELD,
  ],
  [
    "the other kind of address waits, and its own type is published",
    { former: www, wanted: [wanted(SHOP), wanted(SHOP, "AAAA")], records: [owned(SHOP)] },
    "goes, 1",
  ],
  [
    "a host name becomes addresses of both kinds, and one is published",
    {
      former: owned("www.example.org", "CNAME"),
      wanted: [wanted(SHOP), wanted(SHOP, "AAAA")],
      records: [owned(SHOP, "AAAA")],
    },
    HELD,
  ],
  ["it lies below the former cut", { former: owned("example.org", "NS") }, "goes, 1"],
  ["it has had no address for the whole grace", { former: www, isGraceOver: true }, "goes, 1"],
])("Z-32 %s", (_, story, expected) => {
  expect(judged(story)).toBe(expected);
});
