/**
 * F19: many acts in one moment. A storm is twenty to forty acts of users, or a namespace whose
 * objects are deleted in any order, or every object under another name. Between storms one object
 * is deleted and made again at once.
 */
import {
  type ActContext,
  act,
  recreateOne,
  removeEverything,
  renameEverything,
} from "../world/users.ts";
import type { FaultClass } from "./fault-class.ts";

const ACTS_LEAST = 20;
const ACTS_MOST = 40;
/**
 * The others are one object that comes back at once: a story of nothing but storms takes seconds.
 */
const STORMS = 0.3;

/**
 * A storm; with the fuse, so that a storm of deletions is stopped until a person has looked at it
 * (S5).
 */
export const STORMS_OF_CHANGES: FaultClass = {
  id: "F19",
  title: "storms of changes, with the fuse",
  // The usual ten, which only the weak limit reaches in a zone of this size; and fewer, so that the
  // strong one is met too.
  world: { fuseMin: [3, 6, 10] },
  strike: ({ world, instance }) => {
    world.tally.add("F19");
    if (world.random.chance(STORMS)) storm({ world, instance });
    else recreateOne({ world, instance });
    return {};
  },
};

function storm({ world, instance }: ActContext): void {
  const { random } = world;
  world.note(`${instance.owner}: a storm`);
  const kind = random.below(4);
  if (kind === 0) renameEverything({ world, instance });
  if (kind === 1) removeEverything({ world, instance });
  // A namespace that is emptied is left so, or filled again at once.
  if (kind === 0 || (kind === 1 && random.chance(0.5))) return;
  // Drawn once: a bound that is drawn anew with each act ends a storm after six.
  const acts = ACTS_LEAST + random.below(ACTS_MOST - ACTS_LEAST + 1);
  for (let index = 0; index < acts; index++) act({ world, instance, mistakes: 0.1 });
}
