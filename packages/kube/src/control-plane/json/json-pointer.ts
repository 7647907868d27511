/**
 * Reads and changes a JSON document at a JSON pointer (RFC 6901). A pointer leads to an object's
 * own fields and to indexes that a list has: `length` or `constructor` mean a field of that name,
 * and lists never get holes.
 */
import { equalJson, isObject, type JsonObject } from "./json.ts";

/** Thrown where a pointer leads nowhere, or an operation cannot be done there; holds no values. */
export class PointerError extends Error {
  override readonly name = "PointerError";
}

/** A place in a document that may be changed; the last step need not lead to anything yet. */
export class JsonLocation {
  readonly #parent: object;
  readonly #key: string;

  /**
   * Where `pointer`, which begins with a slash, leads in `root`. Throws PointerError when it has no
   * parent there.
   */
  constructor(root: JsonObject, pointer: string) {
    const steps = pointer.split("/").slice(1).map(unescaped);
    const key = steps.pop();
    let parent: unknown = root;
    for (const step of steps) parent = childOf(parent, step);
    if (key === undefined || typeof parent !== "object" || parent === null) throw nowhere();
    this.#parent = parent;
    this.#key = key;
  }

  /** Throws PointerError when there is none. */
  get value(): unknown {
    return childOf(this.#parent, this.#key);
  }

  /** Adds a value. In a list, items from the index on move up; `-` = its end (RFC 6902 §4.1). */
  add(value: unknown): void {
    const parent = this.#parent;
    if (!Array.isArray(parent)) {
      setField(parent, this.#key, value);
      return;
    }
    const at = this.#key === "-" ? parent.length : indexOf(this.#key);
    if (at > parent.length) throw nowhere();
    parent.splice(at, 0, value);
  }

  replace(value: unknown): void {
    const parent = this.#parent;
    childOf(parent, this.#key);
    if (Array.isArray(parent)) parent[indexOf(this.#key)] = value;
    else setField(parent, this.#key, value);
  }

  remove(): void {
    const parent = this.#parent;
    childOf(parent, this.#key);
    if (Array.isArray(parent)) parent.splice(indexOf(this.#key), 1);
    else Reflect.deleteProperty(parent, this.#key);
  }

  /**
   * True when the value is equal; a field that is not there equals null, as in evanphx/json-patch
   * (Patch.test).
   */
  holds(value: unknown): boolean {
    const parent = this.#parent;
    if (value === null && isObject(parent) && !Object.hasOwn(parent, this.#key)) return true;
    return equalJson(this.value, value);
  }
}

/** `~1` before `~0` (RFC 6901 §4). */
const unescaped = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** No leading zeros, nothing below 0 (RFC 6901 §4). */
function indexOf(step: string): number {
  if (!INDEX.test(step)) throw nowhere();
  return Number(step);
}

function childOf(parent: unknown, step: string): unknown {
  if (Array.isArray(parent)) {
    const index = indexOf(step);
    if (index >= parent.length) throw nowhere();
    const items: readonly unknown[] = parent;
    return items[index];
  }
  if (!isObject(parent) || !Object.hasOwn(parent, step)) throw nowhere();
  return parent[step];
}

/** Defined, not set: no name reaches a prototype. */
function setField(parent: object, key: string, value: unknown): void {
  const field = { value, configurable: true, enumerable: true, writable: true };
  Reflect.defineProperty(parent, key, field);
}

const nowhere = (): PointerError => new PointerError("the path leads nowhere");
