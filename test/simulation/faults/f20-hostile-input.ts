/**
 * F20: objects that were written to do harm: forged markers as texts, absurd names and sizes,
 * hostile annotations.
 */
import { applyHostile } from "../world/hostile.ts";
import type { FaultClass } from "./fault-class.ts";

/** A hostile object is applied. */
export const HOSTILE_INPUT: FaultClass = {
  id: "F20",
  title: "hostile objects",
  strike: (context) => {
    applyHostile(context);
    context.world.tally.add("F20");
    return {};
  },
};
