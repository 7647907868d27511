/** A table of any length, of which only the rows in sight are there. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Scrollable } from "./basics.tsx";

/** Pixels of a row, as the style sheet has it. */
const ROW = 32;
/** Rows above and below of what is in sight. */
const MARGIN = 12;

interface Shown<T> {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** As many as columns. */
  readonly cells: (row: T) => readonly ComponentChildren[];
  /** The rows that are in sight now, the last one not included. */
  readonly onSight: (from: number, to: number) => void;
}

export function LongList<T>({ label, columns, rows, keyOf, cells, onSight }: Shown<T>) {
  const box = useRef<HTMLElement>(null);
  const [[from, to], setRange] = useState<readonly [number, number]>([0, 60]);
  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    const top = Math.max(0, Math.floor(scrollTop / ROW) - MARGIN);
    const bottom = Math.ceil((scrollTop + clientHeight) / ROW) + MARGIN;
    setRange((last) => (last[0] === top && last[1] === bottom ? last : [top, bottom]));
  };
  useEffect(look, [rows.length]);
  useEffect(() => onSight(from, to), [onSight, from, to]);
  const shown = rows.slice(from, to);
  return (
    <Scrollable class="list" label={label} box={box} onScroll={look}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={Math.min(from, rows.length)} />
          {shown.map((row, index) => (
            <tr key={keyOf(row)} aria-rowindex={from + index + 2}>
              {cells(row).map((cell, column) => (
                <td key={columns[column]}>{cell}</td>
              ))}
            </tr>
          ))}
          <Gap rows={Math.max(0, rows.length - from - shown.length)} />
        </tbody>
      </table>
    </Scrollable>
  );
}

/** The room of rows that are not there. */
function Gap({ rows }: { rows: number }) {
  return rows === 0 ? null : <tr style={{ height: `${rows * ROW}px` }} />;
}
