/** Taking a change back: shown first, in the words of `zonekeeper undo`, then ordered. */
import { useState } from "preact/hooks";
import { undoRowLines } from "../../src/app/commands/ask/texts/undo-text.ts";
import { ask, useAnswer } from "../api.ts";
import type { UndoDocument } from "../contract.ts";
import { Answered, Command, countText, Notice } from "../parts/basics.tsx";
import { Dialog, useOrder } from "../parts/dialog.tsx";

/** `query`: `name=www.example.org` or `hash=…`. */
export function Undo({ query, onClose }: { query: string; onClose: () => void }) {
  const preview = useAnswer<UndoDocument>(`undo?${query}`);
  const [done, setDone] = useState<UndoDocument | null>(null);
  const { error, isDoing, order } = useOrder();
  const undo = () =>
    order(async () => setDone(await ask<UndoDocument>(`undo?${query}`, { method: "POST" })));
  return (
    <Dialog title="Undo" error={error} onClose={onClose}>
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
  return (
    <>
      {changes.length === 0 ? <p>There is nothing to undo.</p> : null}
      {shown === "same" ? null : (
        <Notice tone="wait">
          It is not as it was shown before: nothing was undone. Read it again.
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
        <Notice tone="good">
          <p>
            {countText(names.length, "name is", "names are")} paused now, so that objects do not
            write again at once. When the object is right, end it:
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
          <span class="faint">Its names are paused until they are resumed.</span>
        </p>
      )}
    </>
  );
}
