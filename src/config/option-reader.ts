/**
 * Options as the typed values of a configuration: each is read once, and everything that is wrong
 * is told together.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { nameFaults } from "@zonekeeper/kube/objects/name-rules";
import type { Problem } from "../model/problem.ts";
import type { ResolvedOptions } from "./resolved-options.ts";

/** A text as what it means; the error follows the name of its option. */
export type ReadText<T> = (text: string) => Result<T>;

/** Reads the options of one command, and keeps what is wrong with them. */
export class OptionReader {
  readonly options: ResolvedOptions;
  readonly #problems: Problem[] = [];

  constructor(options: ResolvedOptions) {
    this.options = options;
  }

  /** Null = not given, or refused. */
  one<T>(name: string, read: ReadText<T>): T | null {
    const text = this.options.text(name);
    return text === null ? null : (this.#read(name, read, [text])[0] ?? null);
  }

  /** Items of a list, without those that are refused. */
  each<T>(name: string, read: ReadText<T>): readonly T[] {
    return this.#read(name, read, this.options.list(name));
  }

  #read<T>(name: string, read: ReadText<T>, texts: readonly string[]): readonly T[] {
    return texts.flatMap((text) => {
      const value = read(text);
      if (value.ok) return [value.value];
      this.refuse(name, value.error);
      return [];
    });
  }

  /** What the option says means nothing. */
  refuse(name: string, message: string): void {
    this.add([{ code: "InvalidOption", subject: `--${name}`, message }]);
  }

  /** What it says does not go with another one. */
  conflict(name: string, message: string): void {
    this.add([{ code: "ConflictingOptions", subject: `--${name}`, message }]);
  }

  add(problems: readonly Problem[]): void {
    this.#problems.push(...problems);
  }

  /** Null = it failed, as `result` will. */
  need<T>(result: Result<T, readonly Problem[]>): T | null {
    if (result.ok) return result.value;
    this.add(result.error);
    return null;
  }

  /** All that was refused. */
  failure(): { readonly ok: false; readonly error: readonly Problem[] } {
    return fail(this.#problems);
  }

  /** Fails where anything was refused. */
  result<T>(value: T): Result<T, readonly Problem[]> {
    return this.#problems.length > 0 ? this.failure() : ok(value);
  }
}

/** As `read`; its error follows the text, and `what` it is not. */
export function quoting<T>(what: string, read: ReadText<T>): ReadText<T> {
  return (text) => {
    const value = read(text);
    return value.ok ? value : fail(`${JSON.stringify(text)} ${what}: ${value.error}`);
  };
}

/** A name of an object; `what` it is not where Kubernetes would refuse it. */
export function named(what: string, rule: Parameters<typeof nameFaults>[1]): ReadText<string> {
  return quoting(what, (text) => {
    const [fault] = nameFaults(text, rule);
    return fault === undefined ? ok(text) : fail(fault);
  });
}

/** A name of a namespace. */
export const namespaceName = named("is no namespace", "label");
