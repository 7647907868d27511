/**
 * Finds fields that a JSON text has twice in one object: JSON.parse keeps the last one and says
 * nothing. sigs.k8s.io/json, UnmarshalStrict (DuplicateField). The text has to be valid JSON. Pure.
 */

/** Faults that are told at most (the same limit as sigs.k8s.io/json). */
export const FAULTS_MAX = 100;

/** `duplicate field "spec.ports[0].port"` for each, in the order of the text; empty = none. */
export function duplicateFields(text: string): readonly string[] {
  const scan = new Scan();
  for (const [token] of text.matchAll(TOKEN)) scan.take(token);
  return scan.faults;
}

/** Texts whole; brackets and separators one by one; numbers and names whole. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** An object or list that is open. */
interface Open {
  /** Fields so far; null = a list. */
  readonly fields: Set<string> | null;
  readonly path: string;
  /** The field that is being read; null = a field name comes next. */
  field: string | null;
  index: number;
}

class Scan {
  readonly faults: string[] = [];
  readonly #open: Open[] = [];

  take(token: string): void {
    const top = this.#open.at(-1);
    if (token === "{") this.#enter(new Set());
    else if (token === "[") this.#enter(null);
    else if (token === "}" || token === "]") this.#open.pop();
    else if (token === "," && top !== undefined) nextIn(top);
    else if (top !== undefined && top.fields !== null && top.field === null)
      this.#name(top, top.fields, token);
  }

  #enter(fields: Set<string> | null): void {
    this.#open.push({ fields, path: pathOf(this.#open.at(-1)), field: null, index: 0 });
  }

  #name(top: Open, fields: Set<string>, token: string): void {
    const name: unknown = JSON.parse(token);
    top.field = String(name);
    if (fields.has(top.field) && this.faults.length < FAULTS_MAX)
      this.faults.push(`duplicate field "${pathOf(top)}"`);
    fields.add(top.field);
  }
}

function nextIn(open: Open): void {
  open.field = null;
  open.index += 1;
}

/** Where the value that is being read stands. */
function pathOf(open: Open | undefined): string {
  if (open === undefined) return "";
  if (open.fields === null) return `${open.path}[${open.index}]`;
  return open.path === "" ? (open.field ?? "") : `${open.path}.${open.field ?? ""}`;
}
