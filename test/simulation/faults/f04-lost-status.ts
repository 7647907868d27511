/** F04: live objects whose status is emptied or garbage. */
import { loseStatus } from "../world/users.ts";
import type { FaultClass } from "./fault-class.ts";

/** A Service or an Ingress loses its address. */
export const LOST_STATUS: FaultClass = {
  id: "F04",
  title: "live objects lose their status",
  strike: (context) => {
    if (loseStatus(context)) context.world.tally.add("F04");
    return {};
  },
};
