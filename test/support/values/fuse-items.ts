/** Items and inputs of the fuse's machine, for tests of its parts. */
import { FREEZE_AFTER_MS, freezeQuiet, passFuse } from "../../../src/plan/fuse.ts";
import type { FuseInput } from "../../../src/plan/fuse-input.ts";
import {
  type FuseItem,
  type FuseState,
  fuseItem,
  newFuse as neverUsed,
} from "../../../src/plan/fuse-state.ts";
import { nameOf } from "./zone-text.ts";

/** An item; `strong` or `weak` by a boolean, or as it says. */
export function item(
  name: string,
  proof: boolean | FuseItem["proof"] = "strong",
  { marker = "m", namespace = "shop" } = {},
): FuseItem {
  const key = { name: nameOf(name), type: "A", setIdentifier: null };
  const strength = typeof proof === "string" ? proof : proof ? "weak" : "strong";
  return fuseItem({ key, marker, namespace, proof: strength });
}

/** So many of them: `n0`, `n1` … */
export function items(
  count: number,
  proof: boolean | FuseItem["proof"] = "strong",
  prefix = "n",
  namespace = "shop",
): readonly FuseItem[] {
  const marker = { namespace };
  return Array.from({ length: count }, (_, index) => item(`${prefix}${index}`, proof, marker));
}

/** A zone of 100 record sets of one namespace, in which nothing is planned. */
export function input(overrides: Partial<FuseInput>): FuseInput {
  const { owned = 100, removals = [] } = overrides;
  return {
    nowMs: 0,
    owned,
    ownedIn: () => owned,
    planned: new Set(removals.map((one) => one.name)),
    removals,
    updates: [],
    losesLastName: false,
    version: "v1",
    ...overrides,
  };
}

/** The fuse of a zone that we met, and in which nothing has happened. */
export function newFuse(): FuseState {
  return { ...neverUsed(), met: true };
}

/** A fuse that has seen the zone with so many owned record sets. */
export function opened(owned: number): FuseState {
  return passFuse(newFuse(), input({ owned })).state;
}

/** Nothing joined its set for long enough. */
export function settled(state: FuseState): FuseState {
  return freezeQuiet(state, state.joinedMs + FREEZE_AFTER_MS);
}

/** What storing and loading does to the state. */
export function restart(state: FuseState): FuseState {
  return JSON.parse(JSON.stringify(state));
}
