/** Finds a served kind by one of its names. */
import { apiVersionOf, kindText } from "../../objects/kubernetes.ts";
import type { ServedKind } from "./served-kind.ts";

/**
 * The served kinds by each of their names. The list may be replaced at any time: definitions come
 * and go.
 */
export class KindLookup {
  #kinds: readonly ServedKind[];

  constructor(kinds: readonly ServedKind[]) {
    this.#kinds = kinds;
  }

  /** All kinds; a custom kind once for each of its versions. */
  get kinds(): readonly ServedKind[] {
    return this.#kinds;
  }

  /** All kinds that are kept once, whatever the number of their versions. */
  get distinct(): readonly ServedKind[] {
    return this.#kinds.filter(
      (kind) => kind.kept === kind.ref && this.byText(kindText(kind.ref)) === kind,
    );
  }

  /** From now on these kinds are served. */
  replace(kinds: readonly ServedKind[]): void {
    this.#kinds = kinds;
  }

  /** By `group/version` (`version` for core) and plural. */
  byPath(apiVersion: string, plural: string): ServedKind | null {
    const isAsked = ({ ref }: ServedKind) =>
      ref.plural === plural && apiVersionOf(ref) === apiVersion;
    return this.#kinds.find(isAsked) ?? null;
  }

  /** By `plural.group` (`plural` for core); of several versions of a kind the last one. */
  byText(text: string): ServedKind | null {
    return this.#kinds.findLast(({ ref }) => kindText(ref) === text) ?? null;
  }

  /** By the apiVersion and kind of an object. */
  byType(apiVersion: string, kind: string): ServedKind | null {
    const isAsked = ({ ref }: ServedKind) => ref.kind === kind && apiVersionOf(ref) === apiVersion;
    return this.#kinds.find(isAsked) ?? null;
  }
}
