/** The whole conversation, in order. */
import type { Topic } from "../step.ts";
import { ACCESS } from "./access.ts";
import { CRDS } from "./crds.ts";
import { DELETION } from "./deletion.ts";
import { DISCOVERY } from "./discovery.ts";
import { EVENTS } from "./events.ts";
import { FORMS } from "./forms.ts";
import { LIVES } from "./life.ts";
import { LISTS, WATCHES } from "./lists.ts";
import { PATCHES } from "./patches.ts";
import { INVALID, REFUSED } from "./refusals.ts";

/** See above. */
export const TOPICS: readonly Topic[] = [
  DISCOVERY,
  ACCESS,
  ...LIVES,
  CRDS,
  PATCHES,
  DELETION,
  LISTS,
  WATCHES,
  EVENTS,
  FORMS,
  INVALID,
  REFUSED,
];
