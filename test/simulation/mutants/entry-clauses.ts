/** Clauses of the rules of proofs/entry-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const ENTRY_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-31 no host of a network is at a loopback address",
    clause: "answer-is-credible",
    to: "given",
    breaks: /^a loopback address is published/,
  },
  {
    drops: "Z-31 an answer without an address is none",
    clause: "empty-answer-is-a-failure",
    to: "resolve(answer);",
    breaks: /^a loopback|^a host that has no address loses its record/,
  },
  {
    drops: "Z-31 the last answer of a host outlives a failure",
    clause: "last-answer-outlives-failure",
    to: 'host.answer = typeof answer === "string" ? { a: [], aaaa: [] } : answer;',
    breaks: /^a loopback|^a host that has no address loses its record/,
  },
  {
    drops: "Z-31 a kind of address stays while the list of hosts is the same",
    clause: "address-kind-stays-for-same-hosts",
    to: "return fresh;",
    breaks: /^a kind of address goes with an answer/,
  },
  {
    drops: "Z-31 with an edited list a kind of address may go",
    clause: "edited-hosts-change-address-kinds",
    breaks: /^an edited list keeps what no host has/,
  },
  {
    drops: "Z-31 what is published stays until each host has answered",
    clause: "addresses-stay-until-hosts-answer",
    breaks: /^one host of two ends what the other one had/,
  },
  {
    drops: "Z-32 a former name stays until the new one is published",
    clause: "former-name-waits-for-new",
    breaks: /^a rename ends a record/,
  },
  {
    drops: "Z-32 after a restart each name of the object may be the new one",
    clause: "restart-may-name-all",
    to: "listed().slice(0, 0)",
    breaks: /^a rename ends a record after a restart/,
  },
  {
    drops: "Z-32 a former record waits for its own type",
    clause: "former-record-waits-for-its-type",
    to: 'return wanted.some((one) => canSubstitute(one.type, former.type) && !isMissing(one)) ? "answered" : "open";',
    breaks: /^half of a rename ends a record/,
  },
  {
    drops: "Z-32 a former name gives way to others",
    clause: "former-name-gives-way",
    breaks: /^objects that swap names wait for each other/,
  },
  {
    drops: "Z-32 a name that is taken off alone is given up",
    clause: "dropped-name-is-former",
    to: "if (taken.length > 0) $&",
    breaks: /^a name that is given up waits for others/,
  },
  {
    drops: "Z-32 a mistake in between hides no edit",
    clause: "mistake-hides-no-edit",
    breaks: /^a rename by way of a mistake ends a record/,
  },
  {
    drops: "Z-32 the name of a name is followed",
    clause: "former-name-is-followed",
    breaks: /^a second rename ends the first record/,
  },
  {
    drops: "Z-32 equal data of another object is an answer",
    clause: "equal-data-is-an-answer",
    breaks: /^a shared record is no answer/,
  },
  {
    drops: "Z-32 a note that cannot be read may name each name",
    clause: "unreadable-note-names-all",
    to: "[]",
    breaks: /^a note that cannot be read says nothing/,
  },
  {
    drops: "Z-32 a note that was seen is written again",
    clause: "note-is-written-again",
    breaks: /^a note that is taken off is lost/,
  },
  {
    drops: "Z-32 a copy of an entry of a former name gives the name up, too",
    clause: "copy-withdraws-former-name",
    to: "null",
    breaks: /^a copy of a former name keeps it/,
  },
  {
    drops: "Z-32 a note that only may be right is not copied",
    clause: "certain-note-is-copied",
    to: "return noteOf(original);",
    breaks: /^a copy loses what a mistake may hide/,
  },
  {
    drops: "Z-32 what is published frees a former name",
    clause: "published-name-frees-former",
    to: "const renamed = new Set<DnsName>();",
    breaks: /^a former name stays after the new one is published/,
  },
  {
    drops: "Z-31 what the zone has is what was published before",
    clause: "published-is-the-former-answer",
    to: "{ a: [], aaaa: [] }",
    breaks: /^one host of two ends what the other one had/,
  },
  {
    drops: "a host is looked up each 30 s at most",
    clause: "look-up-interval-minimum",
    to: "interval.value",
    breaks: /^an entry is looked up each second/,
  },
  {
    drops: "reconcile looks hosts up at once",
    clause: "reconcile-looks-hosts-up",
    breaks: /^hosts are not looked up at once/,
  },
  {
    drops: "an operation is done once",
    clause: "operation-is-done-once",
    breaks: /^an operation that is done stays/,
  },
  {
    drops: "only reconcile is an operation of ours",
    clause: "only-reconcile-is-an-operation",
    to: "return annotations?.[OPERATION_ANNOTATION] !== undefined || RECONCILE === null;",
    breaks: /^another operation is taken away/,
  },
  {
    drops: "an operation on an object of another class is left",
    clause: "operation-needs-own-class",
    to: "const isServed = !isOfOtherType(context);",
    breaks: /^an operation for another set of controllers/,
  },
  {
    drops: "reconcile lists the zones of a DNSProvider at once",
    clause: "reconcile-lists-zones",
    breaks: /^zones are not listed at once/,
  },
  {
    drops: "Z-18 nothing goes before the new zone has it",
    clause: "new-zone-publishes-first",
    to: "target.isPublished === null",
    breaks: /^a record goes before the new zone has it/,
  },
  {
    drops: "Z-18 the status names the former zone until it holds nothing",
    clause: "former-zone-holds-nothing",
    to: "true",
    breaks: /^a status names a zone that has no record/,
  },
  {
    drops: "Z-18 a record goes when the new zone has it",
    clause: "record-moves-to-new-zone",
    to: "const withdrawal = target.contribution;",
    breaks: /^a record stays in the former zone/,
  },
  {
    drops: "ADR 0050 entries without an id count for --owner",
    clause: "entry-without-id-has-main-owner",
    to: 'const now = use === null ? null : { ...use, owner: use.owner ?? "" };',
    breaks: /^an entry without an id is not counted/,
  },
  {
    drops: "ADR 0050 an entry is counted once",
    clause: "entry-is-counted-once",
    breaks: /^an entry is counted twice/,
  },
];
