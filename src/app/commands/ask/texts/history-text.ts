/** The journal of zones for people, two lines for each change. Pure. */
import { printable } from "../../../../model/printable.ts";
import { proofText } from "../../../../plan/removal/proofs.ts";
import type { HistoryChange, HistoryDocument } from "../../../api/documents.ts";

/** A closing newline. `timeZone`: an IANA name; absent = the machine's. */
export function historyText(document: HistoryDocument, timeZone?: string): string {
  const { changes, isCut, troubles, zone, name } = document;
  const lines = changesText(document, timeZone);
  const asked = `${name === null ? "" : ` of ${name}`}${zone === null ? "" : ` in ${zone}`}`;
  const none = changes.length > 0 ? [] : [`No change is known${asked}.`];
  const more = isCut ? ["There are older ones: --limit shows more."] : [];
  return `${[...none, ...lines, ...more, ...troubles].map(printable).join("\n")}\n`;
}

/** Two lines a change, printable; `timeZone` as `historyText`. */
export function changesText(
  { now, changes }: Pick<HistoryDocument, "now" | "changes">,
  timeZone?: string,
): readonly string[] {
  const nowMs = Date.parse(now);
  return changes.flatMap((change) => changeLines(change, nowMs, timeZone)).map(printable);
}

const TITLES: Readonly<Record<HistoryChange["is"], string>> = {
  created: "created",
  changed: "changed",
  removed: "removed",
  marker: "ownership",
};

/** Two lines: the change, and its cause. */
function changeLines(
  change: HistoryChange,
  nowMs: number,
  timeZone: string | undefined,
): readonly string[] {
  const { at } = change;
  // The Swedish locale writes dates in the form of ISO 8601.
  const time = new Date(at).toLocaleString("sv-SE", timeZone === undefined ? {} : { timeZone });
  const age = ageText(nowMs - Date.parse(at));
  return [`${time} (${age})  ${changeText(change)}`, `    ${causeText(change)}`];
}

/** `changed www.example.org A: 192.0.2.1 -> 192.0.2.2 ttl 300`; not printable yet. */
export function changeText(change: HistoryChange): string {
  const { name, type, setIdentifier, is } = change;
  const set = setIdentifier === undefined ? "" : ` (${setIdentifier})`;
  return `${TITLES[is]} ${name} ${type}${set}: ${dataText(change)}`;
}

function dataText({ before, after, owners }: HistoryChange): string {
  if (owners !== undefined) {
    const [was, now] = owners.map((owner) => (owner === "" ? "nobody" : owner));
    return was === now ? `written anew for ${now}` : `${was} -> ${now}`;
  }
  const ttl = (seconds: number | undefined): string =>
    seconds === undefined ? "" : ` ttl ${seconds}`;
  const was = before === undefined ? "" : `${before.values.join(", ")}`;
  const now = after === undefined ? "" : `${after.values.join(", ")}${ttl(after.ttlSeconds)}`;
  if (before === undefined || after === undefined) return `${was}${now}`;
  const wasTtl = before.ttlSeconds === after.ttlSeconds ? "" : ttl(before.ttlSeconds);
  return `${was}${wasTtl} -> ${now}`;
}

const CAUSES: Readonly<Record<HistoryChange["cause"], string>> = {
  edit: "",
  order: "ordered by a person, ",
  drift: "the zone was not as wanted, ",
  undo: "undone by a person, ",
};

/** Why it was made, for which object, and how long it took; not printable yet. */
export function causeText(change: HistoryChange): string {
  const { object, generation, editor, cause, why, hash, providers, answeredMs } = change;
  const version = generation === undefined ? "" : ` generation ${generation}`;
  const proof = proofText(why);
  const whose = (before: string, after: string): string =>
    object === "" ? "" : `${before}${object}${version}${after}`;
  // Where there is a proof of absence, it says the cause.
  const because =
    proof === null ? `${CAUSES[cause]}${why}${whose(" for ", "")}` : `${proof}${whose(" (", ")")}`;
  const by = editor === undefined ? "" : `, ${proof === null ? "" : "last "}edited by ${editor}`;
  const through = providers.length === 0 ? "" : `, through ${providers.join(", ")}`;
  const took = answeredMs === undefined ? "" : `, answered after ${Math.round(answeredMs)} ms`;
  const approved = hash === undefined ? "" : `, approved with set ${hash}`;
  return `${because}${by}${approved}${through}${took}`;
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** `now`, `5 s ago`, `2 d ago`; a second at the least. */
export function ageText(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms >= each) ?? ["s", 1_000];
  return ms < 1_000 ? "now" : `${Math.floor(ms / size)} ${unit} ago`;
}
