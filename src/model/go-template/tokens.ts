/**
 * Templates of Go cut into tokens (`text/template` of Go 1.26, `parse/lex.go`): texts, and what
 * stands between `{{` and `}}`. Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";

/** One token; `at` is its offset in the template. */
export interface Token {
  /** `text` is outside of `{{ }}`; `end` closes one. */
  readonly type:
    | ("text" | "end" | "name" | "field" | "variable")
    | ("string" | "number" | "sign" | "dot");
  /** Without quotes, the dot of a field, or escapes; the sign itself. */
  readonly text: string;
  /** Something stands between it and the token before: `.A .B` are two, `.A.B` is one operand. */
  readonly isApart: boolean;
  readonly at: number;
}

/** The longest template that is read, in characters. */
const LENGTH_MAX = 20_000;

const INSIDE =
  /(?<space>\s+)|(?<string>"(?:[^"\\\n]|\\.)*"|`[^`]*`)|(?<char>'(?:[^'\\\n]|\\.)')|(?<number>[-+]?(?:0[xX][\da-fA-F]+|\d+(?:\.\d+)?))|(?<field>\.[\p{L}_][\p{L}\p{N}_]*)|(?<dot>\.)|(?<variable>\$[\p{L}\p{N}_]*)|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<sign>:=|[=|(),])/uy;

/** Fails with what is wrong and where. */
export function tokensOf(template: string): Result<readonly Token[]> {
  if (template.length > LENGTH_MAX)
    return fail(`it is longer than ${LENGTH_MAX} characters; shorten it`);
  const tokens: Token[] = [];
  let at = 0;
  let isTrimmed = false;
  while (at < template.length) {
    const open = template.indexOf("{{", at);
    const text = template.slice(at, open < 0 ? template.length : open);
    const trimsBefore = open >= 0 && /^\{\{-\s/.test(template.slice(open, open + 4));
    const cut = trimsBefore ? text.trimEnd() : text;
    const kept = isTrimmed ? cut.trimStart() : cut;
    if (kept !== "") tokens.push({ type: "text", text: kept, isApart: true, at });
    if (open < 0) break;
    const action = actionAt(template, open + (trimsBefore ? 3 : 2));
    if (!action.ok) return action;
    tokens.push(...action.value.tokens);
    ({ isTrimmed, at } = action.value);
  }
  return ok(tokens);
}

interface Action {
  readonly tokens: readonly Token[];
  /** Blanks behind it do not count. */
  readonly isTrimmed: boolean;
  /** Behind its `}}`. */
  readonly at: number;
}

function actionAt(template: string, start: number): Result<Action> {
  const comment = /\s*\/\*[\s\S]*?\*\/(\s-)?\}\}/y;
  comment.lastIndex = start;
  const found = comment.exec(template);
  if (found !== null)
    return ok({ tokens: [], isTrimmed: found[1] !== undefined, at: comment.lastIndex });
  const tokens: Token[] = [];
  let isApart = true;
  let at = start;
  for (;;) {
    const [close, trims] = /^(?:\s(-)\}\}|\}\})/.exec(template.slice(at, at + 4)) ?? [];
    if (close !== undefined) {
      tokens.push({ type: "end", text: "", isApart: true, at });
      return ok({ tokens, isTrimmed: trims !== undefined, at: at + close.length });
    }
    INSIDE.lastIndex = at;
    const groups = INSIDE.exec(template)?.groups ?? {};
    const [type, text] = Object.entries(groups).find(([, one]) => one !== undefined) ?? [];
    if (type === undefined || text === undefined)
      return fail(`"{{" at character ${start - 1} has no "}}", or something else is in it`);
    if (type !== "space") {
      const token = tokenOf(type, text);
      if (token === null) return fail(`${text} at character ${at + 1} cannot be read`);
      tokens.push({ ...token, isApart, at });
    }
    isApart = type === "space";
    at += text.length;
  }
}

const TYPES: Readonly<Record<string, Token["type"]>> = {
  ...{ name: "name", field: "field", dot: "dot", variable: "variable", sign: "sign" },
};

function tokenOf(type: string, text: string): Pick<Token, "type" | "text"> | null {
  if (type === "number") return { type: "number", text: String(Number(text)) };
  if (type === "char") {
    const read = unquoted(`"${text.slice(1, -1).replaceAll('"', '\\"')}"`);
    return read === null ? null : { type: "number", text: String(read.codePointAt(0)) };
  }
  if (type === "string") {
    const read = text.startsWith("`") ? text.slice(1, -1) : unquoted(text);
    return read === null ? null : { type: "string", text: read };
  }
  const named = TYPES[type];
  const bare = type === "field" || type === "variable" ? text.slice(1) : text;
  return named === undefined ? null : { type: named, text: bare };
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: "\n", t: "\t", r: "\r", a: "\u0007", b: "\b", f: "\f", v: "\v" },
  ...{ "\\": "\\", '"': '"', "'": "'" },
};

/** A string of Go; null = it has an escape that is none. */
function unquoted(text: string): string | null {
  let isRead = true;
  const value = text
    .slice(1, -1)
    .replace(
      /\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[\s\S])/g,
      (_, written: string): string => {
        const plain = ESCAPES[written];
        if (plain !== undefined) return plain;
        const code = written.length > 1 ? Number.parseInt(written.slice(1), 16) : Number.NaN;
        if (code <= 0x10ffff) return String.fromCodePoint(code);
        isRead = false;
        return "";
      },
    );
  return isRead ? value : null;
}
