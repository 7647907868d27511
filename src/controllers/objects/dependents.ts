/**
 * Which objects of a source were read together with which secondary objects (a Pod with its Node, a
 * route with its Gateway), by their last answers. When a secondary object changes, only the objects
 * whose answers read it are answered again. An answer is what the source found of one object;
 * `complete` false = something that it needed could not be read.
 */
import { type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { KindState, ObjectChange, ObjectIndex } from "@zonekeeper/kube/ports/cluster-view";
import type { Found, SecondaryRead } from "../../sources/source.ts";

/** The look-ups that an answer rests on, and whether it is complete. */
type Answer = Pick<Found<unknown>, "reads" | "complete">;

/**
 * A look-up, and the objects (`keys`) whose answers made it; one that tens of thousands of objects
 * make is kept once.
 */
interface Read {
  readonly text: string;
  /** `kindText`. */
  readonly kind: string;
  readonly keys: Set<string>;
}

/** For the objects of one source; keys are those of the source's work queue. */
export class Dependents {
  readonly #byText = new Map<string, Read>();
  readonly #answers = new Map<
    string,
    { readonly reads: readonly Read[]; readonly complete: boolean }
  >();
  readonly #indexes = new Map<string, ObjectIndex>();

  /** Replaces what is known of the object's answer. */
  answered(key: string, { reads = [], complete }: Answer): void {
    this.forget(key);
    if (reads.length === 0) return;
    this.#answers.set(key, { reads: reads.map((read) => this.#noted(read, key)), complete });
  }

  #noted(read: SecondaryRead, key: string): Read {
    const text = readText(read);
    const known = this.#byText.get(text);
    if (known !== undefined) {
      known.keys.add(key);
      return known;
    }
    if ("by" in read && read.by !== undefined) this.#indexes.set(indexText(read.by), read.by.index);
    const noted = { text, kind: kindText(read.kind), keys: new Set([key]) };
    this.#byText.set(text, noted);
    return noted;
  }

  /** The object is gone. */
  forget(key: string): void {
    for (const { text, keys } of this.#answers.get(key)?.reads ?? []) {
      keys.delete(key);
      if (keys.size === 0) this.#byText.delete(text);
    }
    this.#answers.delete(key);
  }

  /** Objects whose answer may differ after a change of a secondary object. */
  readersOf({ kind, object, previous }: ObjectChange): ReadonlySet<string> {
    const { namespace = "", name } = object.metadata;
    const texts = [{ kind, namespace, name }, { kind }, { kind, inNamespace: namespace }].map(
      readText,
    );
    for (const index of this.#indexes.values()) {
      if (kindText(index.kind) !== kindText(kind)) continue;
      const values = [object, ...(previous === undefined ? [] : [previous])].flatMap((one) =>
        index.valuesOf(one),
      );
      for (const value of new Set(values))
        for (const where of [{}, { inNamespace: namespace }])
          texts.push(readText({ kind, ...where, by: { index, value } }));
    }
    return new Set(texts.flatMap((text) => [...(this.#byText.get(text)?.keys ?? [])]));
  }

  /**
   * Objects to answer again when the watch of a kind has changed its state. `stale` (the watch is
   * broken): none, since the cache stays and nothing is removed meanwhile. `live`: those whose
   * answers were incomplete. Any other state: all that read the kind.
   */
  outdatedBy(kind: KindRef, state: KindState): readonly string[] {
    if (state === "stale") return [];
    return [...this.#answers].flatMap(([key, { reads, complete }]) => {
      const isReader = reads.some((read) => read.kind === kindText(kind));
      return isReader &&
        /* clause: incomplete-answer-is-due-once-live */ (state !== "live" || !complete)
        ? key
        : [];
    });
  }
}

function readText(read: SecondaryRead): string {
  if ("name" in read) return `${kindText(read.kind)}|${read.namespace}/${read.name}`;
  const by = read.by === undefined ? "" : `${indexText(read.by)}=${read.by.value}`;
  return `${kindText(read.kind)}|${read.inNamespace ?? "*"}|${by}`;
}

function indexText({ index }: { readonly index: ObjectIndex }): string {
  return `${kindText(index.kind)}#${index.name}`;
}
