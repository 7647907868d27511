/**
 * The figures of one file, read from its syntax tree (TypeScript 6; version 7 has no API of this
 * kind yet). Pure: text in, numbers out. Lines are physical lines; own lines of a function are its
 * span without the spans of functions in it.
 */
import ts from "typescript";
import { commentLinesOf, commentsOf, syntaxOf } from "./comments.ts";
import type { SourceFile } from "./source-files.ts";

/** Counted faults; each has a baseline that may only shrink. */
export interface Faults {
  readonly any: number;
  /**
   * `x as T` where docs/style.md rule 8 does not allow it; `as const` and renaming imports do not
   * count.
   */
  readonly as: number;
  /** `x as T` in wire/, convert.ts, client/ and cluster/. */
  readonly asAtEdges: number;
  readonly nonNull: number;
  readonly lintDisable: number;
  readonly biomeIgnore: number;
  readonly todo: number;
}

/** The figures of one file. */
export interface FileFigures {
  readonly path: string;
  readonly lines: number;
  /** Own lines of each function, method, constructor, accessor and arrow function. */
  readonly functionLines: readonly number[];
  /** Exported declarations at the top level, and how many carry a doc comment. */
  readonly exports: Documented;
  /** Exported interfaces, and how many carry a doc comment. */
  readonly interfaces: Documented;
  readonly commentLines: number;
  readonly nonBlankLines: number;
  readonly citesRfcSection: boolean;
  readonly faults: Faults;
}

/** A total and the part with a doc comment. */
export interface Documented {
  readonly total: number;
  readonly documented: number;
}

/** Measures one file. */
export function measureFile(file: SourceFile): FileFigures {
  const source = syntaxOf(file);
  const comments = commentsOf(source);
  const exported = source.statements.filter(isExportedDeclaration);
  return {
    path: file.path,
    lines: source.getLineStarts().length - (file.text.endsWith("\n") ? 1 : 0),
    functionLines: functionLinesOf(source),
    exports: documented(source, exported),
    interfaces: documented(source, exported.filter(ts.isInterfaceDeclaration)),
    commentLines: commentLinesOf(source, comments).size,
    nonBlankLines: file.text.split("\n").filter((line) => line.trim() !== "").length,
    citesRfcSection: /RFC \d+ §/.test(file.text),
    faults: faultsOf(source, comments),
  };
}

function isExportedDeclaration(node: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function documented(source: ts.SourceFile, nodes: readonly ts.Node[]): Documented {
  const withDoc = nodes.filter((node) => {
    const ranges = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
    const last = ranges.at(-1);
    if (last === undefined || !source.text.startsWith("/**", last.pos)) return false;
    return !/\n\s*\n/.test(source.text.slice(last.end, node.getStart(source)));
  });
  return { total: nodes.length, documented: withDoc.length };
}

function isFunction(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

function functionLinesOf(source: ts.SourceFile): readonly number[] {
  const result: number[] = [];
  const span = (node: ts.Node): number => {
    const line = (position: number) => source.getLineAndCharacterOfPosition(position).line;
    return line(node.getEnd()) - line(node.getStart(source)) + 1;
  };
  /** Returns the lines of functions directly inside `node`. */
  const visit = (node: ts.Node): number => {
    let nested = 0;
    ts.forEachChild(node, (child) => {
      nested += visit(child);
    });
    if (!isFunction(node)) return nested;
    const lines = span(node);
    result.push(Math.max(1, lines - nested));
    return lines > 1 ? lines : 0;
  };
  visit(source);
  return result;
}

function faultsOf(source: ts.SourceFile, comments: readonly ts.CommentRange[]): Faults {
  const count = { any: 0, as: 0, nonNull: 0 };
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) count.any += 1;
    if (ts.isNonNullExpression(node)) count.nonNull += 1;
    if (isCast(node)) count.as += 1;
    ts.forEachChild(node, visit);
  };
  visit(source);
  const prose = comments.map(({ pos, end }) => source.text.slice(pos, end)).join("\n");
  const matches = (pattern: RegExp): number => [...prose.matchAll(pattern)].length;
  const edge = isEdge(source.fileName);
  return {
    any: count.any,
    as: edge ? 0 : count.as,
    asAtEdges: edge ? count.as : 0,
    nonNull: count.nonNull,
    lintDisable: matches(/(?:eslint|oxlint)-disable/g),
    biomeIgnore: matches(/biome-ignore/g),
    todo: matches(/\b(TODO|FIXME|XXX)\b/g),
  };
}

/** `x as T` and `<T>x`, but not `as const`. */
function isCast(node: ts.Node): boolean {
  if (ts.isTypeAssertionExpression(node)) return true;
  return ts.isAsExpression(node) && node.type.getText() !== "const";
}

/** Where docs/style.md rule 8 allows `as`. */
function isEdge(path: string): boolean {
  return (
    /^packages\/(dns\/src\/wire|kube\/src\/client)\/|^src\/cluster\//.test(path) ||
    /(^|\/)convert\.ts$/.test(path)
  );
}
