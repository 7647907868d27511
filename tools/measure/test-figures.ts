/** The figures of test files: their length and how many cases are longer than a screen. Pure. */
import ts from "typescript";
import { syntaxOf } from "./comments.ts";
import type { SourceFile } from "./source-files.ts";

/** Physical lines that fit on one screen (docs/style.md rule 21). */
export const SCREEN_LINES = 50;

/** What is known about one test file. */
export interface TestFigures {
  readonly path: string;
  readonly lines: number;
  /** Lines of each `test(…)` or `it(…)` call, tables of `test.each` included. */
  readonly caseLines: readonly number[];
}

/** Measures one test file. */
export function measureTestFile(file: SourceFile): TestFigures {
  const source = syntaxOf(file);
  const caseLines: number[] = [];
  const line = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(test|it)\b/.test(node.expression.getText(source)))
      caseLines.push(line(node.getEnd()) - line(node.getStart(source)) + 1);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return { path: file.path, lines: file.text.split("\n").length - 1, caseLines };
}
