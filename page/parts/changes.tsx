/** What zones have taken, the newest first, in the words of `zonekeeper history`. */
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
        const { at, zone, name, type, setIdentifier = "" } = change;
        const isNew = Date.parse(at) > since;
        return (
          <li key={`${at} ${zone} ${name} ${type} ${setIdentifier}`} class={isNew ? "new" : ""}>
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

/** Milliseconds in which a change stands out. */
const NEW_MS = 3_000;
