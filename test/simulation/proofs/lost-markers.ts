/**
 * Z-27, whole record sets step by step: another owner overwrites the marker of a record of ours and
 * takes its own back. What our answered calls wrote is marked again, and nothing else is.
 */
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { ChangeGroup } from "../../../src/plan/changes.ts";
import { LIKE_WEBHOOK } from "../../support/memory-provider/behaviour.ts";
import { type MemoryFaults, NO_FAULTS } from "../../support/memory-provider/faults.ts";
import {
  FOREIGN,
  MARKER,
  MINUTE_MS,
  type Race,
  race,
  VALUES,
  WWW,
} from "../../support/worlds/race-world.ts";

/** What the other owner writes where our marker was. */
const OTHER_MARKER =
  '"heritage=external-dns,external-dns/data=+0d67a9dd76e1f02f,external-dns/owner=you,external-dns/resource=service/default/web,external-dns/state=pending"';

/** A story, and what must be there at its end: data, and whether a marker of ours. */
interface Story {
  readonly is: string;
  readonly play: (world: Race) => Promise<void>;
  readonly data: readonly string[];
  readonly isMarked: boolean;
}

const STORIES: readonly Story[] = [
  {
    is: "created",
    play: async (world) => {
      await claimed(world);
      await lost(world, null);
    },
    data: [VALUES.me],
    isMarked: true,
  },
  {
    is: "changed",
    play: async (world) => {
      await claimed(world);
      await world.clock.advance(20 * MINUTE_MS);
      world.claim("me", "A", "192.0.2.9");
      await world.clock.advance(5_000);
      await lost(world, null);
    },
    data: ["192.0.2.9"],
    isMarked: true,
  },
  {
    is: "overwritten",
    play: async (world) => {
      await claimed(world);
      await lost(world, [FOREIGN]);
    },
    data: [FOREIGN],
    isMarked: false,
  },
  {
    is: "unanswered",
    play: async (world) => {
      let isLost = false;
      const isData = ({ changes }: ChangeGroup): boolean =>
        changes.some((change) => change.op === "create" && change.next.name === WWW);
      const apply: MemoryFaults["apply"] = (_zone, groups) => {
        if (isLost || !groups.some(isData)) return [];
        isLost = true;
        return [{ kind: "lost-after" }];
      };
      world.account.breakWith({ ...NO_FAULTS, apply });
      await claimed(world);
      await lost(world, null);
    },
    data: [VALUES.me],
    isMarked: false,
  },
];

/** What ends otherwise than it must; empty = nothing. */
export async function lostMarkerTroubles(): Promise<readonly string[]> {
  const troubles: string[] = [];
  for (const { is, play, data, isMarked } of STORIES) {
    const world = await race(LIKE_WEBHOOK, () => Promise.resolve(), ["me"]);
    await play(world);
    await world.clock.advance(12 * MINUTE_MS);
    const ours = world.markers().filter((text) => text.includes("owner=me"));
    if (world.data().join() !== data.join()) troubles.push(`Z-27: ${is}: data ${world.data()}`);
    if (ours.length !== (isMarked ? 1 : 0)) troubles.push(`Z-27: ${is}: markers ${ours.length}`);
    await world.stop();
  }
  return troubles;
}

async function claimed(world: Race): Promise<void> {
  world.claim("me");
  await world.clock.advance(MINUTE_MS);
}

/** The marker is theirs, then gone; `data`: what they write besides, null = nothing. */
async function lost(world: Race, data: readonly string[] | null): Promise<void> {
  put(world, MARKER, [OTHER_MARKER]);
  if (data !== null) put(world, WWW, data);
  await world.clock.advance(5_000);
  put(world, MARKER, null);
}

function put(
  { content, clock }: Race,
  name: RecordSet["name"],
  values: readonly string[] | null,
): void {
  const [set] = content.at(name);
  if (set === undefined) throw new Error(`${name} has a record set`);
  const next = values === null ? null : { ...set, values };
  content.write([{ key: set, next }], clock.monotonicMs());
}
