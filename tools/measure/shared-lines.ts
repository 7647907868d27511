/**
 * Figure 8 of docs/style.md for sources: how many places outside of its folder know one source. Its
 * row in the list is one of them, and should be the only one. Pure.
 */
import ts from "typescript";
import { syntaxOf } from "./comments.ts";
import { importsOf } from "./rooms.ts";
import type { SourceFile } from "./source-files.ts";

const LIST = "src/sources/index.ts";
/**
 * Where a text like `"crd"` is no line for a source: external-dns's spelling of a kind in markers,
 * the list of its dialect, and packages, which the import rules keep from knowing sources.
 */
const NO_LIST = /^(src\/model\/kinds\.ts$|src\/sources\/external-dns-rows\.ts$|packages\/)/;

/** A source, and where it is known. */
export interface SharedLines {
  readonly source: string;
  /** `path`, or `path: name` for each text that is the source's name; its row in the list first. */
  readonly mentions: readonly string[];
}

/**
 * For each row of the list of sources, in its order; none when the list has no rows. A row that
 * publishes `itself` is left out: a DNSEntry is the target of other sources, with a controller that
 * is bound to it.
 */
export function sharedLinesOfSources(files: readonly SourceFile[]): readonly SharedLines[] {
  const list = files.find(({ path }) => path === LIST);
  if (list === undefined) return [];
  const folders = importedFolders(list);
  return rowsOf(list).flatMap(({ name, open }) => {
    const folder = folders.get(open);
    if (folder === undefined) return [];
    const others = files.filter(
      ({ path }) => path !== LIST && !NO_LIST.test(path) && !path.startsWith(folder),
    );
    return [{ source: name, mentions: [LIST, ...others.flatMap((file) => known(file))] }];

    function known({ path, text }: SourceFile): readonly string[] {
      const modules = importsOf(path, text).filter((to) => to.startsWith(folder ?? LIST));
      const names = text.split(`"${name}"`).length - 1;
      return [
        ...modules.map(() => path),
        ...Array.from({ length: names }, () => `${path}: ${name}`),
      ];
    }
  });
}

/** What the list imports: identifier → folder, with a slash at its end. */
function importedFolders(list: SourceFile): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, names = "", folder = ""] of list.text.matchAll(
    /import \{([^}]*)\} from "\.\/([^"/]+)\/[^"]+"/g,
  ))
    for (const name of names.split(",")) found.set(name.trim(), `src/sources/${folder}/`);
  return found;
}

interface Row {
  readonly name: string;
  readonly open: string;
}

/** Object literals with a `name` that is a text and an `open` that is an identifier. */
function rowsOf(list: SourceFile): readonly Row[] {
  const source = syntaxOf(list);
  const rows: Row[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const name = initializerOf(node, "name");
      const open = initializerOf(node, "open");
      const isTarget = initializerOf(node, "publishes")?.getText(source) === '"itself"';
      if (name !== undefined && ts.isStringLiteral(name) && open !== undefined && !isTarget)
        rows.push({ name: name.text, open: open.getText(source) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return rows;
}

function initializerOf(node: ts.ObjectLiteralExpression, key: string): ts.Expression | undefined {
  return node.properties
    .filter(ts.isPropertyAssignment)
    .find((property) => property.name.getText() === key)?.initializer;
}
