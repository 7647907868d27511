/** Where the comments of a file are, read from its syntax tree. Pure. */
import ts from "typescript";
import type { SourceFile } from "./source-files.ts";

/** The columns that a line with a comment may take (docs/style.md, rule 5). */
export const COMMENT_COLUMNS_MAX = 100;

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
    if (node.getChildCount(source) > 0 || ts.isJSDoc(node)) continue;
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
    const wide = [...lines.keys()].filter((at) => (lines[at] ?? "").length > COMMENT_COLUMNS_MAX);
    if (wide.length === 0) return [];
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const commented = commentLinesOf(source, commentsOf(source));
    return wide.filter((line) => commented.has(line)).map((line) => `${path}:${line + 1}`);
  });
}
