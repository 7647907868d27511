/** Taking a change back: shown first, in the words of `zonekeeper undo`, then ordered. */
import { useState } from "preact/hooks";
import { undoRowLines } from "../../src/app/commands/ask/texts/undo-text.ts";
import { ask, useAnswer } from "../api.ts";
import type { UndoDocument } from "../contract.ts";
import { Answered, Command, countText, Notice } from "../parts/basics.tsx";
import { Dialog, useOrder } from "../parts/dialog.tsx";
import { withQuery } from "../router.ts";

interface UndoProps {
  readonly name: string;
  /** Hashes of approved sets with changes of the name; one of them can be undone as a whole. */
  readonly sets: readonly string[];
  /** The last change of the name is an undo itself. */
  readonly isUndone: boolean;
  readonly onClose: () => void;
}

export function Undo({ name, sets, isUndone, onClose }: UndoProps) {
  const [hash, setHash] = useState("");
  const query = withQuery("undo", hash === "" ? { name } : { hash });
  const preview = useAnswer<UndoDocument>(query);
  const [done, setDone] = useState<UndoDocument | null>(null);
  const { error, isDoing, order } = useOrder();
  const undo = () => order(async () => setDone(await ask<UndoDocument>(query, { method: "POST" })));
  return (
    <Dialog title="Undo" error={error} onClose={onClose}>
      {done !== null || sets.length === 0 ? null : (
        <div class="filters">
          <label>
            What to undo
            <select value={hash} onChange={(event) => setHash(event.currentTarget.value)}>
              <option value="">The last change of this name</option>
              {sets.map((one) => (
                <option key={one} value={one}>
                  All changes approved with set {one}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {done === null && isUndone && hash === "" ? (
        <Notice tone="wait">
          The last change of this name is an undo already. This goes one change further back.
        </Notice>
      ) : null}
      <Answered answer={preview}>
        {(shown) => <Rows document={done ?? shown} isDoing={isDoing} onUndo={() => void undo()} />}
      </Answered>
    </Dialog>
  );
}

function Rows(props: { document: UndoDocument; isDoing: boolean; onUndo: () => void }) {
  const { document, isDoing, onUndo } = props;
  const { changes, unknown, isDone, shown } = document;
  const would = changes.filter(({ state }) => state === "would");
  const undone = changes.filter(({ state }) => state === "undone" || state === "open");
  const names = [...new Set(undone.map(({ name }) => name))];
  const again = undone.filter((row) => row.again !== null);
  return (
    <>
      {changes.length === 0 ? <p>There is nothing to undo.</p> : null}
      {shown === "same" ? null : (
        <Notice tone="wait">
          It has changed since it was shown: nothing was undone. Read it again.
        </Notice>
      )}
      {unknown.map((line) => (
        <Notice key={line} tone="wait">
          {line}
        </Notice>
      ))}
      <ul class="lines">
        {changes.map((row) => (
          <li key={`${row.zone} ${row.name} ${row.type} ${row.setIdentifier}`}>
            {undoRowLines(row).map((line) => (
              <div key={line} class="line data">
                {line}
              </div>
            ))}
          </li>
        ))}
      </ul>
      {isDone && names.length > 0 ? (
        <Notice tone={again.length > 0 ? "wait" : "good"}>
          <p>
            {countText(names.length, "name is", "names are")} paused now, so that no object
            overwrites this.{" "}
            {again.length > 0
              ? "The undo lasts as long as the pause, unless you do first what is written above."
              : "Nothing would change it again. To end the pause:"}
          </p>
          {names.slice(0, 5).map((name) => (
            <Command key={name} text={`zonekeeper resume --name ${name}`} />
          ))}
        </Notice>
      ) : null}
      {would.length === 0 || isDone ? null : (
        <p>
          <button type="button" class="main" disabled={isDoing} onClick={onUndo}>
            {isDoing ? "Undoing…" : `Undo ${countText(would.length, "change")}`}
          </button>{" "}
          <span class="faint">The names stay paused until somebody resumes them.</span>
        </p>
      )}
    </>
  );
}
