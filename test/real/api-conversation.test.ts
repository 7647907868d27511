/**
 * The same conversation with the embedded control plane and with a real kube-apiserver. Every
 * answer is compared field by field; every difference stands in api-conversation/differences.ts
 * with its reason, and every entry there is one.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { type Difference, differencesOf } from "./api-conversation/compare.ts";
import { DIFFERENCES } from "./api-conversation/differences.ts";
import { type Held, hold } from "./api-conversation/hold.ts";
import { judge, type Verdict } from "./api-conversation/judge.ts";
import { Normal } from "./api-conversation/normal.ts";
import { TOPICS } from "./api-conversation/topics/index.ts";

const SHOWN_MAX = 300;

describeReal("the conversation with both API servers", ["kube-apiserver"], () => {
  let verdict: Verdict;
  beforeAll(async () => {
    verdict = judged(await heldWith(startControlPlane), await heldWith(startKubeApiServer));
  });
  afterAll(() => process.stdout.write(summary(verdict)));

  test.each(TOPICS)("$title: no difference without a reason", ({ steps }) => {
    const names = new Set(steps.map(({ name }) => name));
    const left = verdict.unexplained.filter(({ step }) => names.has(step));
    expect(left.map(lineOf)).toEqual([]);
  });

  test("each listed difference still is one", () => {
    expect(verdict.idle.map(({ steps, paths }) => `${steps}: ${paths}`)).toEqual([]);
  });
});

async function heldWith(
  start: typeof startControlPlane | typeof startKubeApiServer,
): Promise<Held> {
  const server = await start();
  try {
    return await hold(server, TOPICS);
  } finally {
    await server.close();
  }
}

function judged(own: Held, other: Held): Verdict {
  const normal = { own: new Normal(), other: new Normal() };
  const differences = [...own].flatMap(([step, answer]) => {
    const otherAnswer = other.get(step);
    if (otherAnswer === undefined) throw new Error(`${step} was asked of one server only`);
    return differencesOf(step, normal.own.of(step, answer), normal.other.of(step, otherAnswer));
  });
  return judge(own.size, differences, DIFFERENCES);
}

function lineOf({ step, path, own, other }: Difference): string {
  const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, SHOWN_MAX);
  return `${step} ${path}: ours ${shown(own)}, theirs ${shown(other)}`;
}

function summary({ steps, equal, byReason }: Verdict): string {
  const reasons = [...byReason].map(
    ([reason, count]) => `  ${reason}: ${count.differences} differences in ${count.steps} steps\n`,
  );
  return `conversation: ${steps} steps, ${equal} equal\n${reasons.join("")}`;
}
