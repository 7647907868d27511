/** A file as a syntax tree, and where its comments are. Pure. */
import ts from "typescript";
import type { SourceFile } from "./source-files.ts";

/** The columns that a line with a comment may take (docs/style.md, rule 5). */
export const COMMENT_COLUMNS_MAX = 100;

/** The syntax tree, comments being no part of it. */
export function syntaxOf({ path, text }: SourceFile): ts.SourceFile {
  const jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode };
  return ts.createSourceFile(path, text, options, true);
}

/** Every node and token, depth first. */
export function nodesOf(source: ts.SourceFile): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return nodes;
}

/** Each comment once, in no order. */
export function commentsOf(source: ts.SourceFile): readonly ts.CommentRange[] {
  const byStart = new Map<number, ts.CommentRange>();
  for (const node of nodesOf(source)) {
    if (node.getChildCount(source) > 0) continue;
    const start = node.getFullStart();
    const found = [
      ...(ts.getLeadingCommentRanges(source.text, start) ?? []),
      ...(ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? []),
    ];
    for (const range of found) byStart.set(range.pos, range);
  }
  return [...byStart.values()];
}

/** Lines (the first is 0) that a comment is on. */
export function commentLinesOf(
  source: ts.SourceFile,
  comments: readonly ts.CommentRange[],
): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const { pos, end } of comments) {
    const last = source.getLineAndCharacterOfPosition(end).line;
    for (let line = source.getLineAndCharacterOfPosition(pos).line; line <= last; line++)
      lines.add(line);
  }
  return lines;
}

/** `path:line` of each line with a comment that is too wide. */
export function wideCommentLines(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.split("\n");
    // A line of a comment has one of these; to parse a file is dearer than to look.
    const wide = [...lines.keys()].filter((at) => {
      const line = lines[at] ?? "";
      return line.length > COMMENT_COLUMNS_MAX && /\/\/|\*/.test(line);
    });
    if (wide.length === 0) return [];
    const source = syntaxOf({ path, text });
    const commented = commentLinesOf(source, commentsOf(source));
    return wide.filter((line) => commented.has(line)).map((line) => `${path}:${line + 1}`);
  });
}
