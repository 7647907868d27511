import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { AbsenceFacts, ListerSays, ObjectFacts } from "./absence-facts.ts";
import { judgeAbsence } from "./table.ts";

const WEB = "service/default/web";
const NAME = trustedDnsName("www.example.org");
const GONE: ObjectFacts = { who: WEB, proof: "deleted-object", isAlive: false, whyUnknown: "" };
const says = (what: ListerSays, who = WEB) => ({ ...what, who, original: who });
const UNCLEAR = says({ is: "unclear", code: "Unresolved" }, "service/default/other");
const ELSEWHERE: ListerSays = { is: "elsewhere", isAboutRecord: true, isOtherZone: false };

/** The proof by which the record goes, or the code by which it stays. */
function judged({ object = GONE, ...facts }: Given): string {
  const verdict = judgeAbsence({
    ...{ name: NAME, gate: null, listers: [], object: () => object },
    ...{ isMovedAway: false, isLeftBehind: false, servesCut: null, isOrdered: false },
    unpublished: () => null,
    ...facts,
  });
  if (verdict.proven) return verdict.proof;
  const { code, unlessAnswered } = verdict;
  return unlessAnswered === undefined ? code : `${code}, unless answered: ${unlessAnswered}`;
}

type Given = Partial<Omit<AbsenceFacts, "object">> & { readonly object?: ObjectFacts };

const alive: ObjectFacts = { ...GONE, proof: null, isAlive: true };
const unserved = { cluster: "shoot", hasEntries: false, entry: null };
const omits: ObjectFacts = { ...GONE, proof: "object-omits-name", isAlive: true };
const renamed = () => ({ who: WEB, instead: trustedDnsName("shop.example.org") });

test.each<[string, Given, string]>([
  ["its object is gone", {}, "deleted-object"],
  ["a kind is not listed", { gate: { code: "NotSynced", message: "" } }, "NotSynced"],
  ["an object lists the name and waits", { listers: [UNCLEAR] }, "Unresolved"],
  [
    "its object has no address",
    { listers: [says({ is: "without-address", sinceMs: 0, isDangling: false })] },
    "NoTargets",
  ],
  [
    "and none for the whole grace",
    { listers: [says({ is: "without-address-for-good" })], object: alive },
    "no-targets-grace",
  ],
  ["its object may be one of another cluster", { isAnybodys: true }, "OwnerShared"],
  [
    "and whatever answers in its place",
    { isAnybodys: true, listers: [says({ ...ELSEWHERE, isAboutRecord: false })] },
    "WantedElsewhere",
  ],
  ["and a person ordered that it goes", { isAnybodys: true, isOrdered: true }, "approved"],
  ["its object went to another account", { listers: [says(ELSEWHERE)] }, "WantedElsewhere"],
  [
    "another object did",
    { listers: [says({ ...ELSEWHERE, isAboutRecord: false })] },
    "WantedElsewhere, unless answered: deleted-object",
  ],
  [
    "another object did, and its own is not known to be gone",
    { listers: [says({ ...ELSEWHERE, isAboutRecord: false })], object: alive },
    "WantedElsewhere",
  ],
  [
    "another object did, to a zone of its own",
    { listers: [says({ is: "elsewhere", isAboutRecord: false, isOtherZone: true })] },
    "deleted-object",
  ],
  [
    "an entry stands for a former name",
    { listers: [says({ is: "former" })] },
    "RenamedUnpublished, unless answered: object-omits-name",
  ],
  ["its marker names nobody", { object: { ...alive, who: null } }, "KindUnknown"],
  ["nobody serves its cluster", { object: { ...alive, unserved } }, "ClusterUnknown"],
  [
    "its cluster does not answer yet",
    { object: { ...alive, unserved: { ...unserved, awaited: "cluster eu is not read now" } } },
    "NotSynced",
  ],
  [
    "the entry of an object of such a cluster was edited",
    { object: { ...alive, unserved: { ...unserved, entry: "dnsentry/default/web" } } },
    "SourceAlive",
  ],
  [
    "its original lists the name",
    { object: { ...GONE, relists: { made: "dnsentry/default/web", waitsFor: null } } },
    "OriginalAlive",
  ],
  ["its object lives", { object: alive }, "SourceAlive"],
  ["nobody knows", { object: { ...alive, isAlive: false } }, "KindGone"],
  ["it was never seen", { object: { ...GONE, unseen: { code: "Orphan", message: "" } } }, "Orphan"],
  [
    "it was never seen, and a person lets it go",
    { object: { ...GONE, unseen: { code: "Orphan", message: "" } }, isOrdered: true },
    "approved",
  ],
  [
    "somebody removed its cluster",
    { object: { ...alive, unserved: { ...unserved, isRemoved: true } } },
    "removed-cluster",
  ],
  ["a person lets one go that is no orphan", { object: alive, isOrdered: true }, "SourceAlive"],
  ["the name moved", { isMovedAway: true }, "moved-zone"],
  ["the name moved, and is glue", { isMovedAway: true, servesCut: NAME }, "GlueNeeded"],
  ["it was left behind", { isLeftBehind: true, listers: [says(ELSEWHERE)] }, "moved-zone"],
  [
    "another name is not published",
    { object: omits, unpublished: renamed },
    "RenamedUnpublished, unless answered: object-omits-name",
  ],
  ["its object is gone, whatever came instead", { unpublished: renamed }, "deleted-object"],
])("Z-2 %s", (_, given, expected) => {
  expect(judged(given)).toBe(expected);
});

test.each<[string, Given]>([
  ["no address for good", { listers: [says({ is: "without-address-for-good" }), UNCLEAR] }],
  ["a move", { isLeftBehind: true, listers: [says(ELSEWHERE), UNCLEAR] }],
])("Z-2 %s ends no record that another object may want, whoever came first", (_, given) => {
  expect(judged(given)).toBe("Unresolved");
  expect(judged({ ...given, listers: [...(given.listers ?? [])].reverse() })).toBe("Unresolved");
});
