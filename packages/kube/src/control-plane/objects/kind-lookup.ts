/** The served kinds by each of their names. */
import { apiVersionOf, kindText } from "../../objects/kubernetes.ts";
import type { ServedKind } from "./served-kind.ts";

/**
 * The served kinds by each of their names. The list may be replaced at any time: definitions come
 * and go.
 */
export class KindLookup {
  #kinds: readonly ServedKind[] = [];
  #byPath: ReadonlyMap<string, ServedKind> = new Map();
  #byText: ReadonlyMap<string, ServedKind> = new Map();
  #byType: ReadonlyMap<string, ServedKind> = new Map();

  constructor(kinds: readonly ServedKind[]) {
    this.replace(kinds);
  }

  /** All kinds; a custom kind once for each of its versions. */
  get kinds(): readonly ServedKind[] {
    return this.#kinds;
  }

  /** All kinds that are kept once, whatever the number of their versions. */
  get distinct(): readonly ServedKind[] {
    return [...this.#byText.values()].filter((kind) => kind.kept === kind.ref);
  }

  /** From now on these kinds are served. Of several versions of a kind the last one is `byText`. */
  replace(kinds: readonly ServedKind[]): void {
    this.#kinds = kinds;
    this.#byText = new Map(kinds.map((kind) => [kindText(kind.ref), kind]));
    this.#byPath = new Map(
      kinds.map((kind) => [`${apiVersionOf(kind.ref)}/${kind.ref.plural}`, kind]),
    );
    this.#byType = new Map(
      kinds.map((kind) => [`${apiVersionOf(kind.ref)}/${kind.ref.kind}`, kind]),
    );
  }

  /** By `group/version` (`version` for core) and plural. */
  byPath(apiVersion: string, plural: string): ServedKind | null {
    return this.#byPath.get(`${apiVersion}/${plural}`) ?? null;
  }

  /** By `plural.group` (`plural` for core). */
  byText(text: string): ServedKind | null {
    return this.#byText.get(text) ?? null;
  }

  /** By apiVersion and kind as objects say them. */
  byType(apiVersion: string, kind: string): ServedKind | null {
    return this.#byType.get(`${apiVersion}/${kind}`) ?? null;
  }
}
