/** Clauses of the rules of proofs/entry-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

const LOOKUPS = "src/controllers/objects/host-lookups.ts";
const ADDRESSES = "src/controllers/objects/host-addresses.ts";
const SETS = "src/controllers/objects/looked-up-sets.ts";
const FORMER_NAMES = "src/sync/absence/former-names.ts";
const RENAMES = "src/sync/zone/judge-rename.ts";
const NOTES = "src/source-controllers/entries/renamed-entries.ts";
const OPERATION = "src/controllers/objects/operation-annotation.ts";
const CONTROLLER = "src/gardener/dns-entry/entry-controller.ts";
const PROVIDER = "src/gardener/dns-provider/provider-controller.ts";
const FORMER = "src/gardener/dns-entry/leave-former-zones.ts";
const COUNTS = "src/gardener/dns-owner/entry-counts.ts";

export const ENTRY_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "Z-31 no host of a network is at a loopback address",
    file: LOOKUPS,
    from: "const answer = credible(given);",
    to: "const answer = given;",
    breaks: /^a loopback address is published/,
  },
  {
    drops: "Z-31 an answer without an address is none",
    file: LOOKUPS,
    from: "resolve(isEmpty(answer) ? emptyText(given) : answer);",
    to: "resolve(answer);",
    breaks: /^a loopback|^a host that has no address loses its record/,
  },
  {
    drops: "Z-31 the last answer of a host outlives a failure",
    file: LOOKUPS,
    from: 'host.answer = typeof answer === "string" ? host.answer : answer;',
    to: 'host.answer = typeof answer === "string" ? { a: [], aaaa: [] } : answer;',
    breaks: /^a loopback|^a host that has no address loses its record/,
  },
  {
    drops: "Z-31 a kind of address stays while the list of hosts is the same",
    file: ADDRESSES,
    from: "return fresh.length > 0 || isEdited ? fresh : before[kind];",
    to: "return fresh;",
    breaks: /^a kind of address goes with an answer/,
  },
  {
    drops: "Z-31 with an edited list a kind of address may go",
    file: ADDRESSES,
    from: "return fresh.length > 0 || isEdited ? fresh : before[kind];",
    to: "return fresh.length > 0 ? fresh : before[kind];",
    breaks: /^an edited list keeps what no host has/,
  },
  {
    drops: "Z-31 what is published stays until each host has answered",
    file: ADDRESSES,
    from: "if (!isCertain(input)) return canonicalValues([...before[kind], ...fresh]);",
    to: "",
    breaks: /^one host of two ends what the other one had/,
  },
  {
    drops: "Z-32 a former name stays until the new one is published",
    file: RENAMES,
    from: 'if (state === "open") return heldFor(instead, renamed.object, given.proof);',
    to: "",
    breaks: /^a rename ends a record/,
  },
  {
    drops: "Z-32 after a restart each name of the object may be the new one",
    file: FORMER_NAMES,
    from: "memory.unseen ??= { instead: new Set(all()) };",
    to: "memory.unseen ??= { instead: new Set(all().slice(0, 0)) };",
    breaks: /^a rename ends a record after a restart/,
  },
  {
    drops: "Z-32 a former record waits for its own type",
    file: RENAMES,
    from: 'return answers.some(isMissing) ? "open" : "answered";',
    to: 'return wanted.some((one) => canSubstitute(one.type, former.type) && !isMissing(one)) ? "answered" : "open";',
    breaks: /^half of a rename ends a record/,
  },
  {
    drops: "Z-32 a former name gives way to others",
    file: RENAMES,
    from: "unlessAnswered: proof,",
    to: "",
    breaks: /^objects that swap names wait for each other/,
  },
  {
    drops: "Z-32 a name that is taken off alone is given up",
    file: FORMER_NAMES,
    from: "for (const name of dropped) memory.at.set(name, edit);",
    to: "if (taken.length > 0) for (const name of dropped) memory.at.set(name, edit);",
    breaks: /^a name that is given up waits for others/,
  },
  {
    drops: "Z-32 a mistake in between hides no edit",
    file: FORMER_NAMES,
    from: "const known = this.#complete.get(key) ?? new Set([...before, ...others]);",
    to: "const known = new Set([...before, ...others]);",
    breaks: /^a rename by way of a mistake ends a record/,
  },
  {
    drops: "Z-32 the name of a name is followed",
    file: FORMER_NAMES,
    from: "if (gone.length > 0) for (const name of taken) instead.add(name);",
    to: "",
    breaks: /^a second rename ends the first record/,
  },
  {
    drops: "Z-32 equal data of another object is an answer",
    file: RENAMES,
    from: "return isMarkOf(marker, wanted.provenance) || hasSameData(data, wanted);",
    to: "return isMarkOf(marker, wanted.provenance);",
    breaks: /^a shared record is no answer/,
  },
  {
    drops: "Z-32 a note that cannot be read may name each name",
    file: NOTES,
    from: "renamedTo(entry) ?? listed",
    to: "renamedTo(entry) ?? []",
    breaks: /^a note that cannot be read says nothing/,
  },
  {
    drops: "Z-32 a note that was seen is written again",
    file: "src/source-controllers/entries/noted-names.ts",
    from: "before?.get(id) ?? []",
    to: "[]",
    breaks: /^a note that is taken off is lost/,
  },
  {
    drops: "Z-32 a copy of an entry of a former name gives the name up, too",
    file: NOTES,
    from: "return isRenamed(original) ? noteOf(original) : null;",
    to: "return isRenamed(original) ? null : null;",
    breaks: /^a copy of a former name keeps it/,
  },
  {
    drops: "Z-32 a note that only may be right is not copied",
    file: NOTES,
    from: "return isRenamed(original) ? noteOf(original) : null;",
    to: "return noteOf(original);",
    breaks: /^a copy loses what a mistake may hide/,
  },
  {
    drops: "Z-32 what is published frees a former name",
    file: "src/sync/between-zones/zone-move.ts",
    from: "const renamed = from.ledger.awaited.freedBy(names, (name) => resourcesAt(to, name));",
    to: "const renamed = new Set<DnsName>();",
    breaks: /^a former name stays after the new one is published/,
  },
  {
    drops: "Z-31 what the zone has is what was published before",
    file: SETS,
    from: "const before = present?.before ?? publishedAt(item);",
    to: "const before = present?.before ?? { a: [], aaaa: [] };",
    breaks: /^one host of two ends what the other one had/,
  },
  {
    drops: "a host is looked up each 30 s at most",
    file: "src/sources/shared/lookup-request.ts",
    from: "lookupSeconds: Math.max(SECONDS_MIN, interval.value),",
    to: "lookupSeconds: interval.value,",
    breaks: /^an entry is looked up each second/,
  },
  {
    drops: "reconcile looks hosts up at once",
    file: CONTROLLER,
    from: "if (asksForReconcile(object)) this.#options.lookups.refresh(objectKeyText(entry.key));",
    to: "",
    breaks: /^hosts are not looked up at once/,
  },
  {
    drops: "an operation is done once",
    file: CONTROLLER,
    from: "await reconcileDone(this.#options.writer, DNS_ENTRY, object);",
    to: "await Promise.resolve();",
    breaks: /^an operation that is done stays/,
  },
  {
    drops: "only reconcile is an operation of ours",
    file: OPERATION,
    from: "annotations?.[OPERATION_ANNOTATION]?.trim() === RECONCILE",
    to: "annotations?.[OPERATION_ANNOTATION] !== undefined || RECONCILE === null",
    breaks: /^another operation is taken away/,
  },
  {
    drops: "an operation on an object of another class is left",
    file: CONTROLLER,
    from: "const isServed = entry.isOfClass && !isOfOtherType(context);",
    to: "const isServed = !isOfOtherType(context);",
    breaks: /^an operation for another set of controllers/,
  },
  {
    drops: "reconcile lists the zones of a DNSProvider at once",
    file: PROVIDER,
    from: "if (asksForReconcile(provider)) account.relist();",
    to: "",
    breaks: /^zones are not listed at once/,
  },
  {
    drops: "Z-18 nothing goes before the new zone has it",
    file: FORMER,
    from: "if (!target.isPublished)",
    to: "if (target.isPublished === null)",
    breaks: /^a record goes before the new zone has it/,
  },
  {
    drops: "Z-18 the status names the former zone until it holds nothing",
    file: FORMER,
    from: "isDone: renamed.length + moved.length === 0,",
    to: "isDone: true,",
    breaks: /^a status names a zone that has no record/,
  },
  {
    drops: "Z-18 a record goes when the new zone has it",
    file: FORMER,
    from: "const withdrawal = { ...target.contribution, movedTo: target.key };",
    to: "const withdrawal = target.contribution;",
    breaks: /^a record stays in the former zone/,
  },
  {
    drops: "ADR 0050 entries without an id count for --owner",
    file: COUNTS,
    from: "owner: use.owner ?? this.#mainOwner }",
    to: 'owner: use.owner ?? "" }',
    breaks: /^an entry without an id is not counted/,
  },
  {
    drops: "ADR 0050 an entry is counted once",
    file: COUNTS,
    from: "if (before !== null) this.#add(before, -1);",
    to: "",
    breaks: /^an entry is counted twice/,
  },
];
