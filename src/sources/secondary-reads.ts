/**
 * What an answer of a source rests on besides its own object: the look-ups of secondary objects
 * that it made. One that could not be answered for certain makes the answer incomplete (Z-1).
 */
import { invariant } from "@zonekeeper/base/invariant";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type {
  ClusterView,
  KindState,
  Lookup,
  ObjectIndex,
} from "@zonekeeper/kube/ports/cluster-view";
import type { Problem } from "../model/problem.ts";
import type { DesiredRecordSet } from "../model/record-set.ts";
import { heldItems, PROBLEM_WAIT } from "./shared/found.ts";
import type { Found, SecondaryRead } from "./source.ts";

/**
 * The answer that `ask` gives from secondary objects of these kinds (`kindText`), with what it
 * read. An answer that rests on a kind that is not live is incomplete; its record sets wait if a
 * look-up had no answer at all. A kind that the API server does not have holds no objects, but a
 * reference to one of them is not understood.
 */
export function withSecondaryReads(
  secondary: ReadonlySet<string>,
  view: ClusterView,
  ask: (view: ClusterView) => Found<DesiredRecordSet>,
): Found<DesiredRecordSet> {
  if (secondary.size === 0) return ask(view);
  const noting = new NotingView(secondary, view);
  const found = ask(noting);
  const { reads, unread } = noting;
  if (/* clause: unread-look-up-is-incomplete */ unread.size === 0) return { ...found, reads };
  const known = [...unread.values()].every((lookup) => lookup === "value");
  const held = known ? found : heldItems(found);
  // Also what the source takes for a missing address is not known then (Z-4).
  const waiting = held.waiting.map((one) => (known ? one : { ...one, reason: PROBLEM_WAIT }));
  const problems = [...unread.keys()].flatMap((kind) => problemOf(kind, view));
  return { ...held, waiting, problems: [...found.problems, ...problems], complete: false, reads };
}

/** A watch that is broken for a moment is no problem of the object. */
function problemOf(kind: KindRef, view: ClusterView): readonly Problem[] {
  const state = view.state(kind);
  if (state !== "forbidden" && state !== "absent") return [];
  const why =
    state === "forbidden"
      ? "may not be read; allow get, list and watch"
      : "are not served; install their definition";
  const message = `${kindText(kind)} ${why}. The records of this object stay as they are until then`;
  return [{ code: "NotSynced", subject: kindText(kind), message, field: kindText(kind) }];
}

/** Shows the secondary kinds and remembers what was asked. */
class NotingView implements ClusterView {
  readonly clusterId: string;
  readonly reads: SecondaryRead[] = [];
  /** Kinds of look-ups whose answer is not certain; `unknown` = one had none. */
  readonly unread = new Map<KindRef, Lookup<unknown>["state"]>();
  readonly #kinds: ReadonlySet<string>;
  readonly #view: ClusterView;

  constructor(kinds: ReadonlySet<string>, view: ClusterView) {
    this.#kinds = kinds;
    this.#view = view;
    this.clusterId = view.clusterId;
  }

  get(kind: KindRef, namespace: string, name: string): Lookup<KubeObject> {
    const lookup = this.#view.get(kind, namespace, name);
    return this.#note({ kind, namespace, name }, lookup, LIVE);
  }

  list(kind: KindRef, namespace?: string): Lookup<readonly KubeObject[]> {
    const where = namespace === undefined ? {} : { inNamespace: namespace };
    return this.#note({ kind, ...where }, this.#view.list(kind, namespace), LIVE_OR_NONE);
  }

  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    const where = namespace === undefined ? {} : { inNamespace: namespace };
    const read = { kind: index.kind, ...where, by: { index, value } };
    return this.#note(read, this.#view.indexed(index, value, namespace), LIVE_OR_NONE);
  }

  state(kind: KindRef): KindState {
    return this.#view.state(kind);
  }

  trouble(kind: KindRef): string | null {
    return this.#view.trouble(kind);
  }

  newest(kind: KindRef): string | null {
    return this.#view.newest(kind);
  }

  subscribe(): () => void {
    invariant(false, "a source is pure: it subscribes to nothing");
  }

  #note<T>(read: SecondaryRead, lookup: Lookup<T>, certain: ReadonlySet<KindState>): Lookup<T> {
    const { kind } = read;
    invariant(this.#kinds.has(kindText(kind)), "a source reads only kinds that its row names");
    this.reads.push(read);
    const isCertain = lookup.state !== "unknown" && certain.has(this.#view.state(kind));
    if (!isCertain && this.unread.get(kind) !== "unknown")
      this.unread.set(kind, lookup.state === "value" ? "value" : "unknown");
    return lookup;
  }
}

const LIVE: ReadonlySet<KindState> = new Set([/* clause: reference-to-live-kind */ "live"]);
const LIVE_OR_NONE: ReadonlySet<KindState> = new Set(["live", "absent"]);
