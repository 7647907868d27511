/**
 * Clauses of the product by the names that its source gives them: a comment `clause: NAME`, in the
 * line or in a line of its own, names what begins right behind it (ADR 0076). Finds them and cuts
 * them out; decides nothing about what a loss shows.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Where clauses are named: the product, and the fakes of servers. */
const FOLDERS = [
  "src",
  "packages/base/src",
  "packages/dns/src",
  "packages/kube/src",
  "test/support",
];

const MARK = /\/\* clause: (\S+) \*\/|^\s*\/\/ clause: (\S+)$/gm;
const NAME = /^[a-z0-9]+(-[a-z0-9]+)+$/;

/** One clause, and what dropping it leaves in its place. */
export interface NamedClause {
  readonly name: string;
  /** Path below the repository. */
  readonly file: string;
  /** Of its source text, in characters from the start of its file. */
  readonly start: number;
  readonly end: number;
  /** What is in its place when the clause is dropped; null = it says so itself (`to`). */
  readonly dropped: { readonly text: string; readonly end: number } | null;
}

/** Another text in the place of a clause. */
export interface Replacement {
  /** Name of the clause in the source. */
  readonly clause: string;
  /**
   * The text that replaces all of it, `$&` in it being the clause as it was; absent = the clause is
   * dropped: a statement is empty, an operand of `&&` true, of `||` false, of `??` null, and an
   * element of an array or a property of an object is gone.
   */
  readonly to?: string;
}

const isLogical = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && Object.hasOwn(WITHOUT_EFFECT, node.operatorToken.kind);

/** What an operand of a logical operator is without effect as. */
const WITHOUT_EFFECT: Readonly<Record<number, string>> = {
  [ts.SyntaxKind.AmpersandAmpersandToken]: "true",
  [ts.SyntaxKind.BarBarToken]: "false",
  [ts.SyntaxKind.QuestionQuestionToken]: "null",
};

const isPart = ({ parent }: ts.Node): boolean =>
  isLogical(parent) || ts.isConditionalExpression(parent);

function droppedAs(node: ts.Node, text: string): NamedClause["dropped"] {
  const { parent } = node;
  const end = node.getEnd();
  if (isLogical(parent)) return { text: WITHOUT_EFFECT[parent.operatorToken.kind] ?? "", end };
  if (ts.isStatement(node)) return { text: ";", end };
  if (!ts.isArrayLiteralExpression(parent) && !ts.isObjectLiteralExpression(parent)) return null;
  return { text: "", end: end + (/^\s*,/.exec(text.slice(end))?.[0].length ?? 0) };
}

/**
 * The clauses that a file names, in the order of its text. Of the nodes that begin behind a mark it
 * is the whole one, a statement or an expression, but never more than one operand of `&&`, `||` and
 * `??` and one part of `?:`.
 */
export function clausesIn(file: string, text: string): readonly NamedClause[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const marks = [...text.matchAll(MARK)];
  const named = new Map<number, ts.Node>();
  const visit = (node: ts.Node): void => {
    const [from, start] = [node.getFullStart(), node.getStart(source)];
    const at = marks.findLast(({ index }) => index < start)?.index ?? -1;
    if (at >= from && (isPart(node) || !named.has(at))) named.set(at, node);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return marks.map(({ index, 1: inLine, 2: alone }) => {
    const name = inLine ?? alone ?? "";
    const node = named.get(index);
    if (!NAME.test(name)) throw new Error(`${file}: ${name} is no name for a clause`);
    if (node === undefined) throw new Error(`${file}: nothing that has a name follows ${name}`);
    return {
      name,
      file,
      start: node.getStart(source),
      end: node.getEnd(),
      dropped: droppedAs(node, text),
    };
  });
}

/** By name; each name once. */
export function byName(clauses: readonly NamedClause[]): ReadonlyMap<string, NamedClause> {
  const named = new Map<string, NamedClause>();
  for (const one of clauses) {
    const { file } = named.get(one.name) ?? {};
    if (file !== undefined)
      throw new Error(`${file} and ${one.file} both name a clause ${one.name}`);
    named.set(one.name, one);
  }
  return named;
}

/** Those of the whole repository, read once in each process. */
export const namedClauses = once(() => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => `${folder}/${path}`),
  );
  return byName(
    files.sort().flatMap((file) => {
      const text = readFileSync(`${ROOT}${file}`, "utf8");
      return text.search(MARK) < 0 ? [] : clausesIn(file, text);
    }),
  );
});

function once<T>(make: () => T): () => T {
  const made: T[] = [];
  return () => {
    const [first = make()] = made;
    made[0] = first;
    return first;
  };
}

/** The clause of that name. */
export function clauseOf(
  { clause }: Replacement,
  all: ReadonlyMap<string, NamedClause> = namedClauses(),
): NamedClause {
  const found = all.get(clause);
  if (found === undefined) throw new Error(`no clause is named ${clause}`);
  return found;
}

/** A file's text with other texts in the place of some of its clauses, which must not overlap. */
export function replaceClauses(
  text: string,
  replacements: readonly { readonly clause: NamedClause; readonly to?: string | undefined }[],
): string {
  let mutated = text;
  let before = text.length;
  for (const { clause, to } of replacements.toSorted((a, b) => b.clause.start - a.clause.start)) {
    const { name, start, dropped } = clause;
    if (to === undefined && dropped === null)
      throw new Error(`${name} is nothing that can be dropped: say what it becomes`);
    const end = to === undefined ? (dropped?.end ?? clause.end) : clause.end;
    if (end > before) throw new Error(`${name} overlaps another clause of the same mutant`);
    const whole = text.slice(start, clause.end);
    const instead = to?.replaceAll("$&", () => whole) ?? dropped?.text ?? "";
    mutated = mutated.slice(0, start) + instead + mutated.slice(end);
    before = start;
  }
  return mutated;
}
