/** How the rooms (subfolders) of one folder of src import one another. Pure. */
import { posix } from "node:path";
import type { SourceFile } from "./source-files.ts";

/** The rooms of a folder, files right in it being one more, and which room imports which. */
export interface Rooms {
  readonly rooms: readonly string[];
  /** `zone -> fence`, sorted. */
  readonly arrows: readonly string[];
}

/** `folder` is `src/sync`. */
export function roomsOf(files: readonly SourceFile[], folder: string): Rooms {
  const roomOf = (path: string): string | null => {
    if (!path.startsWith(`${folder}/`)) return null;
    const [room = "", file] = path.slice(folder.length + 1).split("/");
    return file === undefined ? "." : room;
  };
  const rooms = new Set<string>();
  const arrows = new Set<string>();
  for (const { path, text } of files) {
    const from = roomOf(path);
    if (from === null) continue;
    rooms.add(from);
    for (const to of importsOf(path, text).map(roomOf))
      if (to !== null && to !== from) arrows.add(`${from} -> ${to}`);
  }
  return { rooms: [...rooms].sort(), arrows: [...arrows].sort() };
}

/** Paths of the files that a file imports or exports from. */
export function importsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(/\bfrom "(\.{1,2}\/[^"]+)"/g)].map(([, to = ""]) =>
    posix.join(posix.dirname(path), to),
  );
}
