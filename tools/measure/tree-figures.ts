/**
 * Figures of the tree as a whole: rooms of src/sync, places that know one source, comments that are
 * too wide. Pure.
 */
import { wideCommentLines } from "./comments.ts";
import type { Figure } from "./figures.ts";
import { roomsOf } from "./rooms.ts";
import { sharedLinesOfSources } from "./shared-lines.ts";
import type { SourceFile } from "./source-files.ts";

/** Production files, and all files that people write: tests, tools and benches too. */
export interface Tree {
  readonly production: readonly SourceFile[];
  readonly all: readonly SourceFile[];
}

/** Figures 3, 5b and 8. */
export function treeFigures({ production, all }: Tree): readonly Figure[] {
  const { rooms, arrows } = roomsOf(production, "src/sync");
  const wide = wideCommentLines(all);
  const counted = { unit: "", bound: "most" } as const;
  return [
    {
      ...counted,
      id: "3a",
      measure: "rooms of src/sync",
      value: rooms.length === 0 ? null : rooms.length,
      floor: 11,
      target: "11",
      worst: "",
    },
    {
      ...counted,
      id: "3b",
      measure: "arrows between rooms of src/sync",
      value: rooms.length === 0 ? null : arrows.length,
      floor: 33,
      target: "37",
      worst: "",
    },
    {
      ...counted,
      id: "5b",
      measure: "comment lines over 100 columns",
      value: wide.length,
      floor: 0,
      target: "0",
      worst: wide[0] ?? "",
    },
    sharedLines(production),
  ];
}

function sharedLines(production: readonly SourceFile[]): Figure {
  const sources = sharedLinesOfSources(production);
  const worst = [...sources].sort((a, b) => b.mentions.length - a.mentions.length)[0];
  return {
    id: "8",
    measure: "shared lines for a new source",
    value: worst?.mentions.length ?? null,
    unit: "",
    bound: "most",
    floor: 1,
    target: "1",
    worst: worst?.mentions.slice(1).join(", ") ?? "",
  };
}
