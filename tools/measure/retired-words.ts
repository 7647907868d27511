/**
 * Words that names, comments and messages do without (docs/glossary.md says what to write instead):
 * private words cost each reader a look-up. Data only.
 */

/**
 * Parts of identifiers and of file names, lower case: `isBarred` and `write-bar.ts` have one each.
 * An ordinary word in a sentence is no fault. `twin` and `elsewhere` stay while two accounts may
 * serve one zone.
 */
export const RETIRED_PARTS: ReadonlySet<string> = new Set([
  ...["wish", "wishes", "wished", "bar", "bars", "barred", "said", "statement", "statements"],
  ...["told", "heard", "speaks", "speaker", "stands", "standing", "leaving", "departure"],
  ...["leftover", "leftovers", "farewell", "desk", "desks", "book", "books", "bury", "buried"],
  ...["stones", "alike", "namesake", "namesakes", "beside", "besides", "neutral", "bystander"],
  ...["even", "uneven", "scene", "scenes", "world", "worlds", "parts", "setup", "setups", "terms"],
  ...["ground", "place", "places", "placed", "home", "homes", "layout", "layouts", "affix"],
  ...["reading", "readings", "doubt", "doubts", "doubted", "suspect", "echo", "stray", "remnant"],
  ...["guest", "guests", "rival", "rivals", "stranger", "strangers", "look", "looks", "see"],
  ...["touch", "touched", "touches", "sending", "unroute", "unplaced", "displace", "displaced"],
  ...["asker", "askers", "sighted", "blindness", "fate", "ours", "theirs", "another", "anothers"],
  ...["nobody", "nobodys", "word", "words"],
]);

/** Set phrases of comments and of texts in quotes, whole words, in any case of letters. */
export const RETIRED_PHRASES: readonly string[] = [
  ...["stands at", "stand at", "stands there", "stand there", "standing there", "stands beside"],
  ...["what is left", "what was left", "is left over", "left over", "speaks for", "speak for"],
  ...["spoke for", "is told of", "is told that", "are told", "was told of", "lets go", "let go"],
  ...["gives up", "nobody's", "of its own accord", "the other's"],
];

/** Where a retired part is the right word, or is not ours to choose. */
export interface Exception {
  /** The parts that are meant; null = all. */
  readonly parts: readonly string[] | null;
  /** The identifier or the file's base name that is meant; null = any. */
  readonly name: string | null;
  /** What paths begin with. */
  readonly below: string;
  readonly why: string;
}

const part = (word: string, below: string, why: string): Exception => ({
  parts: [word, `${word}s`],
  name: null,
  below,
  why,
});
const called = (name: string, below: string, why: string): Exception => ({
  parts: null,
  name,
  below,
  why,
});

/** Each with its reason. */
export const EXCEPTIONS: readonly Exception[] = [
  part("world", "test/", "a whole simulated system is a world in tests"),
  part("twin", "src/sync/between-zones/", "code for two accounts of one zone, which goes"),
  ...["alike", "ours", "said", "wish", "doubt", "elsewhere"].map((word) =>
    part(word, "src/sync/between-zones/", "code for two accounts of one zone, which goes"),
  ),
  called("neutralTo", "", "the same"),
  ...[
    ...["src/sync/contract/name-explanation.ts", "src/sync/report/explain-name", "src/app/api/"],
    "src/app/commands/ask/texts/explain-text",
  ].map((below) => called("place", below, "a field of the JSON of explain")),
  called("parts", "src/cluster/state/config-map-state", "a key of stored data"),
  called("home", "src/app/commands/run/", "the home folder of a user"),
  called("home", "test/real/", "the same"),
  called("ours", "test/simulation/proofs/", "a kind of delegation, as in `whose`"),
  called("HOME_ONLY", "", "a variable of the environment"),
  called("LooksLikeMarker", "", "a hold code"),
  called("layout", "src/app/api/migrate-route.ts", "a key of the query"),
  called("layout", "src/app/commands/ask/migrate-markers.ts", "a key of the query"),
  called("words.ts", "tools/measure/", "it is about words"),
  part("layout", "packages/dns/src/wire/", "the layout of rdata in a message"),
  part("layout", "test/support/zone-file/", "the layout of rdata in a message"),
  called("setup", "", "a method of esbuild's plugins and a hook of vitest"),
  called("HOME", "", "a variable of the environment"),
  called("txtLayout", "", "the option --txt-layout"),
  called("toLayout", "", "the option --to-layout"),
  called("standing", "", "a field of the JSON of explain"),
  called("beside", "", "a field of the JSON of explain"),
  called("wishes", "", "a field of the JSON of explain"),
  called("wantedBeside", "", "a field of the JSON of ownership"),
];
