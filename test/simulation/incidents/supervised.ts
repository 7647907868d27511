/**
 * How a simulated process ends by itself: src/app/main.ts ends the real one with the first
 * rejection that nobody handles, and whoever supervises it starts it again. Only one process of the
 * story may run meanwhile.
 */
import type { Stage } from "./stage.ts";

/**
 * First back-off of the kubelet for a container that has ended (Kubernetes, "Pod Lifecycle",
 * restart policy).
 */
const RESTART_MS = 10_000;

/** What came of it. */
export interface Supervised {
  /** Why the process ended, each time. */
  readonly ends: readonly string[];
  /** Kinds that were listed by the processes that were started for one that had ended. */
  readonly lists: number;
}

/** Tells a story while its process is supervised. What the story throws is thrown. */
export async function supervised(stage: Stage, tell: () => Promise<void>): Promise<Supervised> {
  const { instance, world } = stage;
  const ends: string[] = [];
  let lists = 0;
  const subscribe = instance.cluster.subscribe.bind(instance.cluster);
  instance.cluster.subscribe = (...how) => {
    if (ends.length > 0) lists += 1;
    return subscribe(...how);
  };
  const ended = (reason: unknown): void => {
    if (!instance.isRunning) return;
    ends.push(reason instanceof Error ? reason.message : String(reason));
    instance.kill();
    world.clock.setTimer(RESTART_MS, () => instance.start());
  };
  // Whoever runs the tests would take it for a fault of theirs.
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", ended);
  try {
    await tell();
  } finally {
    // Node.js reports unhandled rejections after all microtasks have run.
    await world.clock.settle();
    process.off("unhandledRejection", ended);
    for (const other of others) process.on("unhandledRejection", other);
    instance.cluster.subscribe = subscribe;
  }
  return { ends, lists };
}
