/** Clauses of four proofs about the kinds of dns.gardener.cloud, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

/** Of proofs/owner-rules.ts. */
export const OWNER_RULE_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0050 an id waits while another installation has its fence",
    clause: "foreign-fence-holds-owner-id",
    to: '$& || id !== ""',
    breaks: /^an id is ours while another installation has it/,
  },
  {
    drops: "ADR 0050 entries of an id that waits say so",
    clause: "waiting-owner-id-is-reported",
    to: "this.#report();",
    breaks: /^entries of an id that waits do not say so/,
  },
  {
    drops: "ADR 0050 off removes the fence",
    clause: "released-owner-id-has-no-fence",
    to: 'id === ""',
    breaks: /^the fence of an id that is off stays/,
  },
  {
    drops: "Z-31 what is not known of an id gives nothing up",
    clause: "unknown-owner-id-keeps-fence",
    breaks: /^an id that nothing is known of is given up/,
  },
  {
    drops: "ADR 0050 a fence of ours that nobody asks for goes",
    clause: "fence-without-owner-goes",
    breaks: /^a fence that nobody here asks for stays/,
  },
  {
    drops: "ADR 0050 only of a domain whose processes can be told apart",
    clause: "owner-ids-need-a-term-id",
    breaks: /^a fence of another process of the domain goes/,
  },
  {
    drops: "ADR 0074 inside a group a permit counts whatever owner id it names (the rule before)",
    clause: "permit-counts-in-the-group",
    to: "return owner === (permit.owner ?? giver);",
    breaks: /^a claim inside the group waits for another group/,
  },
  {
    drops: "ADR 0075 a record whose kind is gone goes by an order (the rule before)",
    clause: "orphan-goes-by-order",
    to: 'kept.code === "Orphan"',
    breaks: /^a record whose kind is gone stays for ever/,
  },
  {
    drops: "ADR 0075 a transfer is for an object that wants the record",
    clause: "transfer-needs-desired-record",
    breaks: /^a transfer to nobody removes a record/,
  },
  {
    drops: "ADR 0050 a person takes an id from who has it only",
    clause: "owner-id-is-taken-from-holder",
    to: "const isHeldByOther = record.domain !== self.domain;",
    breaks: /^an id is taken from somebody else/,
  },
  {
    drops: "ADR 0050 no installation takes an id from itself",
    clause: "nothing-is-taken-from-itself",
    breaks: /^an installation takes an id from itself/,
  },
  {
    drops: "ADR 0050 who loses an id to a person stops without dispute",
    clause: "former-holder-stops",
    to: "const dismissed = [...others].filter((domain) => domain !== self.domain);",
    breaks: /^who loses an id disputes it/,
  },
  {
    drops: "Z-17 a stale process takes no id",
    clause: "stale-process-takes-nothing",
    to: "!isDisputed",
    breaks: /^a stale process takes an id/,
  },
  {
    drops: "ADR 0050 of two DNSOwners the older one decides",
    clause: "older-dnsowner-decides",
    to: "ageOf(a) > ageOf(b)",
    breaks: /^a younger DNSOwner decides/,
  },
  {
    drops: "ADR 0050 one that cannot be read decides nothing",
    clause: "unreadable-dnsowner-decides-nothing",
    to: 'return textOf(fieldsOf(one["spec"])["ownerId"])?.trim() === ownerId;',
    breaks: /^a DNSOwner that cannot be read bars another one/,
  },
  {
    drops: "ADR 0050 validUntil ends it",
    clause: "valid-until-ends-dnsowner",
    to: "nowMs < 0",
    breaks: /^an id is on after its time/,
  },
  {
    drops: "ADR 0050 another text is off",
    clause: "other-text-is-off",
    breaks: /^another text switches an id on/,
  },
  {
    drops: "Z-31 a resolver that has not answered leaves what was",
    clause: "unanswered-resolver-keeps-state",
    to: "return { isActive: false, message: last === true ? stays : notYet };",
    breaks: /^a restart switches an id off/,
  },
  {
    drops: "Z-31 what was said of another id says nothing of this one",
    clause: "answer-is-about-this-id",
    to: 'return switchOf(spec, facts, typeof active === "boolean" ? active : null);',
    breaks: /^what was said of another id/,
  },
];

/** Of proofs/gardener-rules.ts. */
export const GARDENER_RULE_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0048 names are the union",
    clause: "names-are-the-union",
    breaks: /^names are not the union/,
  },
  {
    drops: "ADR 0048 what the object sets comes before DNSAnnotations",
    clause: "object-comes-before-dnsannotations",
    to: "annotations[key] = value; if (false as boolean) $&",
    breaks: /^a DNSAnnotation comes before its object/,
  },
  {
    drops: "ADR 0048 the oldest DNSAnnotation comes before others",
    clause: "oldest-dnsannotation-comes-first",
    to: "return keyOf(a) < keyOf(b) ? 1 : -1;",
    breaks: /^a younger DNSAnnotation comes before an older one/,
  },
  {
    drops: "ADR 0048 realms are not carried",
    clause: "realms-are-not-carried",
    to: 'if (key === "") return slipOf(key)?.message ?? "write it on the object itself";',
    breaks: /^a DNSAnnotation gives its object realms/,
  },
  {
    drops: "ADR 0048 a reference to another namespace has no effect",
    clause: "foreign-reference-has-no-effect",
    to: "if (isForeign && one.kind === kind) return false;",
    breaks: /^a DNSAnnotation reaches another namespace/,
  },
  {
    drops: "Z-5 * on a Service is a mistake",
    clause: "all-names-on-service-is-a-mistake",
    breaks: /^\* on a Service removes its records/,
  },
  {
    drops: "Z-5 an annotation without a name is a mistake",
    clause: "empty-names-are-a-mistake",
    breaks: /^an annotation without a name removes records/,
  },
  {
    drops: "Z-5 a DNSAnnotation that says nothing is a mistake",
    clause: "silent-dnsannotation-is-a-mistake",
    to: "silent.length >= 0",
    breaks: /^a DNSAnnotation that says nothing ends names/,
  },
  {
    drops: "Z-5 while a TTL cannot be read no name goes",
    clause: "unreadable-ttl-removes-nothing",
    breaks: /^a mistyped dns.gardener.cloud\/ttl ends names/,
  },
  {
    drops: "Z-5 while a routing policy cannot be read no name goes",
    clause: "unreadable-policy-removes-nothing",
    to: "return { ...heldItems(found, problem), complete: found.complete };",
    breaks: /^a mistyped dns.gardener.cloud\/routing-policy ends names/,
  },
  {
    drops: "Z-5 an owner id that none can have is a mistake",
    clause: "impossible-owner-id-is-a-mistake",
    to: "owner.length > 999",
    breaks: /^a mistyped dns.gardener.cloud\/owner-id ends names/,
  },
  {
    drops: "Z-5 an object that lists no name has no mistake that keeps some",
    clause: "mistake-needs-a-name",
    to: "items.length >= 0",
    breaks: /keeps names that nobody lists/,
  },
  {
    drops: "Z-5 a name that an Ingress does not declare is a mistake",
    clause: "undeclared-name-is-a-mistake",
    breaks: /^an undeclared name removes others/,
  },
  {
    drops: "Z-4 under * the rules of an Ingress are all that it says",
    clause: "all-names-are-the-rules",
    breaks: /^under \* a host stays without its rule/,
  },
  {
    drops: "Z-5 a slip of the key is a mistake",
    clause: "key-slip-is-a-mistake",
    breaks: /^a slip of the key removes records/,
  },
  {
    drops: "Z-5 a slip of the prefix is a mistake",
    clause: "prefix-slip-is-a-mistake",
    to: "near !== prefix",
    breaks: /^a slip of the prefix removes records/,
  },
  {
    drops: "prefixes of other programs are no slips",
    clause: "prefix-slip-distance",
    to: "5",
    breaks: /^another program's annotation keeps records/,
  },
  {
    drops: "Z-5 a slip of the key in a DNSAnnotation is a mistake",
    clause: "dnsannotation-key-slip-is-a-mistake",
    breaks: /^a slip of the key in a DNSAnnotation removes records/,
  },
  {
    drops: "a loop of references is a mistake",
    clause: "reference-loop-is-a-mistake",
    to: "chain.length < 0",
    breaks: /^a loop of references is not seen/,
  },
  {
    drops: "a chain of references ends",
    clause: "reference-chain-ends",
    to: "chain.length <= 99",
    breaks: /^a chain of references has no end/,
  },
  {
    drops: "a reference is to the same namespace",
    clause: "reference-in-same-namespace",
    to: 'other !== ""',
    breaks: /^a reference reaches another namespace/,
  },
  {
    drops: "a quota takes no more entries",
    clause: "quota-has-a-limit",
    to: "count < 99",
    breaks: /^a full quota takes an entry/,
  },
  {
    drops: "what a quota has taken stays",
    clause: "admitted-entry-stays",
    breaks: /^a full quota refuses what it has/,
  },
  {
    drops: "a rate limit spreads changes",
    clause: "rate-limit-spreads-changes",
    to: 'if (againAfterMs < 0) return { kind: "throttled", againAfterMs, message: "" };',
    breaks: /^a rate limit takes everything at once/,
  },
  {
    drops: "a rate limit counts a change once",
    clause: "change-is-limited-once",
    breaks: /^a change is counted twice/,
  },
  {
    drops: "no rate limit or quota holds a deletion",
    clause: "deletion-needs-no-admission",
    breaks: /^a deletion waits for its rate limit/,
  },
  {
    drops: "an entry that is not-rate-limited does not wait",
    clause: "not-rate-limited-passes",
    breaks: /^an entry that is not rate limited waits/,
  },
  {
    drops: "only `true` lifts a rate limit",
    clause: "not-rate-limited-is-true",
    to: "const isFree = object.metadata.annotations?.[NOT_LIMITED_ANNOTATION] !== undefined;",
    breaks: /^an entry that says false is not rate limited/,
  },
  {
    drops: "an entry that waits for room is taken when another one goes",
    clause: "freed-quota-wakes-waiting",
    breaks: /^an entry waits although another one went/,
  },
  {
    drops: "an entry that is gone does not count for a quota",
    clause: "deleted-entry-frees-quota",
    breaks: /^an entry that is gone counts/,
  },
  {
    drops: "only objects of a further class join the main one",
    clause: "only-further-classes-join",
    breaks: /^an object of another set of controllers is taken/,
  },
  {
    drops: "an object that is being deleted joins nothing",
    clause: "deleted-object-joins-nothing",
    breaks: /^an object that is being deleted is written/,
  },
  {
    drops: "an object joins together with its finalizer",
    clause: "object-joins-with-finalizer",
    to: "const metadata = { ...versionOf(object), annotations };",
    breaks: /^an object joins without its finalizer/,
  },
  {
    drops: "a class is taken of the object as it was read",
    clause: "class-is-taken-as-read",
    breaks: /^an object joins as it was not read/,
  },
  {
    drops: "an object that has changed meanwhile is looked at again",
    clause: "changed-object-is-read-again",
    to: 'error.code !== ""',
    breaks: /^a changed object is an error/,
  },
  {
    drops: "an object that another process takes back stays there",
    clause: "object-taken-back-stays",
    to: "return false;",
    breaks: /^two processes take an object from each other/,
  },
  {
    drops: "a list of classes can be turned round",
    clause: "classes-may-change-order",
    breaks: /^an object is not taken back after the list/,
  },
  {
    drops: "a person may move an object back",
    clause: "person-may-move-object-back",
    breaks: /^an object is not taken again that a person/,
  },
  {
    drops: "a contested object is served by one process",
    clause: "contested-object-has-one-class",
    to: "return classes;",
    breaks: /^a contested object is served twice/,
  },
  {
    drops: "a mistake in an object with a copy is Stale",
    clause: "copy-with-mistake-is-stale",
    to: 'const state = "Invalid";',
    breaks: /^a mistake hides that the record stands/,
  },
  {
    drops: "a status about an earlier spec of the copy is not shown",
    clause: "undecided-copy-is-not-shown",
    breaks: /^a status about an earlier spec is shown/,
  },
  {
    drops: "a status that is carried back is about the spec of the original",
    clause: "carried-generation-is-of-original",
    to: "const status = { ...remoteStatus(copy) };",
    breaks: /^the status is about the copy's spec/,
  },
  {
    drops: "an original that is published has the status of its publisher",
    clause: "publisher-has-the-status",
    breaks: /^two write the status of one that is published/,
  },
  {
    drops: "why a copy cannot be made is told at the original",
    clause: "copy-trouble-is-reported",
    to: "return null;",
    breaks: /^a copy that cannot be made is not told/,
  },
  {
    drops: "a provider of another cluster is named as such",
    clause: "remote-provider-is-named",
    to: "const { provider } = status;",
    breaks: /^a provider of another cluster passes for one of this/,
  },
  {
    drops: "a carried status that another process overwrites is paced",
    clause: "carried-status-is-paced",
    breaks: /^a status that another process overwrites is written without end/,
  },
  {
    drops: "a change of an entry that another process undoes is made a few times a minute",
    clause: "undone-change-is-limited",
    to: "$& * 100",
    breaks: /^a change that another process undoes is made without end/,
  },
  {
    drops: "of changes that others undo each is counted by itself",
    clause: "undone-changes-count-each",
    to: "last === undefined",
    breaks: /^another change waits for one that is undone/,
  },
  {
    drops: "Z-5 an annotated host that is not declared keeps what stands",
    clause: "undeclared-host-keeps-records",
    to: "[]",
    breaks: /^beside \* an undeclared name loses its record/,
  },
];

/** Of proofs/owner-contact.ts. */
export const OWNER_CONTACT_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-24 an id that finds records of its own meets the zone",
    clause: "first-contact-finds-records",
    to: 'owner !== ""',
    breaks: /^an id changes records that it finds/,
  },
  {
    drops: "Z-24 removals wait, too",
    clause: "first-contact-holds-removals",
    breaks: /^an id removes records that it finds/,
  },
  {
    drops: "Z-24 what was seen to be deleted is an intent of now",
    clause: "strong-proof-passes-first-contact",
    breaks: /^what is seen to be deleted waits/,
  },
  {
    drops: "Z-24 only where it finds any",
    clause: "first-contact-finds-records",
    to: 'owner === ""',
    breaks: /^an empty zone is met anew/,
  },
  {
    drops: "Z-24 each id for itself",
    clause: "first-contact-waits-for-approval",
    to: "if (isFirstContact(state)) return true; $&",
    breaks: /^the group waits for another id/,
  },
  {
    drops: "Z-24 it lasts until all objects are read",
    clause: "first-contact-until-all-read",
    breaks: /^it ends before all objects are read/,
  },
  {
    drops: "Z-24 it lasts for the first plan",
    clause: "first-contact-lasts-one-plan",
    breaks: /^it ends within the first plan/,
  },
  {
    drops: "Z-24 it lasts while records of the id wait",
    clause: "first-contact-while-records-wait",
    breaks: /^it ends while records wait/,
  },
];

/** Of proofs/annotation-status.ts. */
export const ANNOTATION_STATUS_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "ADR 0048 a reference to another namespace is told",
    clause: "foreign-reference-is-reported",
    to: "if (false as boolean) return mistake(STAYS);",
    breaks: /^a reference to another namespace passes/,
  },
  {
    drops: "ADR 0048 a kind that is not annotated is told",
    clause: "unannotated-kind-is-reported",
    to: "if (kind === undefined) return null;",
    breaks: /^a reference to a Pod passes/,
  },
  {
    drops: "ADR 0048 each process speaks of what it reads",
    clause: "process-reports-what-it-reads",
    breaks: /^a process speaks of what another one reads/,
  },
  {
    drops: "ADR 0048 an object may come later",
    clause: "object-may-come-later",
    to: '"mistake"',
    breaks: /^an object that is not there is a mistake/,
  },
  {
    drops: "ADR 0048 each class for itself",
    clause: "dnsannotation-has-a-class",
    to: "return facts ? merging(one, object.value, facts.view) : null;",
    breaks: /^a process speaks of an object of another class/,
  },
  {
    drops: "ADR 0048 each one is told its own losses",
    clause: "own-losses-are-reported",
    to: 'namespacedName(annotation) !== ""',
    breaks: /^the status of one has the losses/,
  },
  {
    drops: "ADR 0048 what loses all of it does not count",
    clause: "dnsannotation-keeps-a-key",
    to: "const active = lost.length < 99;",
    breaks: /^one whose only key is lost counts/,
  },
  {
    drops: "ADR 0048 what keeps a key counts",
    clause: "dnsannotation-keeps-a-key",
    to: "const active = lost.length === 0;",
    breaks: /^one that loses a key does not count/,
  },
  {
    drops: "Z-1 an object that cannot be read is not gone",
    clause: "unreadable-object-is-not-gone",
    to: '{ active: false, message: "", state: "waits" }',
    breaks: /^an object that cannot be read counts as gone/,
  },
  {
    drops: "Z-1 DNSAnnotations that cannot be read are not none",
    clause: "unreadable-dnsannotations-are-some",
    to: '{ active: true, message: "", state: "fine" }',
    breaks: /^others that cannot be read count as none/,
  },
];
