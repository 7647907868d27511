/** What zones have taken, the newest first, in the words of `zonekeeper history`. */
import { compareText } from "@zonekeeper/base/compare-text";
import { causeText, changeText } from "../../src/app/commands/ask/texts/history-text.ts";
import type { HistoryChange } from "../contract.ts";
import { addressOf } from "../router.ts";
import { Age } from "./basics.tsx";

/** `isOfOne`: all are of one name, which leads nowhere. */
export function Changes(props: { changes: readonly HistoryChange[]; isOfOne?: boolean }) {
  const { changes, isOfOne = false } = props;
  if (changes.length === 0) return <p class="nothing">No changes recorded.</p>;
  const since = Date.now() - NEW_MS;
  return (
    <ol class="changes">
      {changes.map((change) => {
        const { at, name } = change;
        const isNew = Date.parse(at) > since;
        return (
          <li key={keyOf(change)} class={isNew ? "new" : ""}>
            <span class="age">
              <Age at={at} />
            </span>
            <span class="what data">
              {isOfOne ? (
                changeText(change)
              ) : (
                <a class="data" href={addressOf("name", name)}>
                  {changeText(change)}
                </a>
              )}
            </span>
            <span class="why">{causeText(change)}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** Each once, the newest first. */
export function joinChanges(
  ...lists: readonly (readonly HistoryChange[])[]
): readonly HistoryChange[] {
  const all = new Map(lists.flat().map((change) => [keyOf(change), change]));
  return [...all.values()].sort((one, other) => compareText(other.at, one.at));
}

function keyOf({ at, zone, name, type, setIdentifier = "" }: HistoryChange): string {
  return `${at} ${zone} ${name} ${type} ${setIdentifier}`;
}

/** Milliseconds in which a change stands out. */
const NEW_MS = 3_000;
