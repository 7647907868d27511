/**
 * The conversation with the embedded control plane, compared field by field with what a real
 * kube-apiserver answered (api-conversation/record, written by tools/record-api.ts). Every
 * difference stands in api-conversation/differences.ts with its reason, and every entry there is
 * one.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeVersion } from "../support/api-servers/judge-version.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { type Difference, differencesOf } from "./api-conversation/compare.ts";
import { DIFFERENCES } from "./api-conversation/differences.ts";
import { OPENAPI_DIFFERENCES } from "./api-conversation/differences-openapi.ts";
import { heldWith } from "./api-conversation/hold.ts";
import { judge, type Verdict } from "./api-conversation/judge.ts";
import { describedDifferences, describeKinds, documentPaths } from "./api-conversation/openapi.ts";
import { askedToday, readOpenApi, readRecord } from "./api-conversation/record.ts";
import { TOPICS } from "./api-conversation/topics/index.ts";

const SHOWN_MAX = 300;
const RECORD_ANEW =
  "the record is not of today: bash script/build-kube-apiserver && node script/run.mjs tools/record-api.ts";

describe("the conversation with the embedded API, judged by the record", () => {
  const record = readRecord();
  let verdict: Verdict;
  let openApi: Verdict;
  beforeAll(async () => {
    const server = await startControlPlane();
    const described = await describeKinds(server, await documentPaths(server));
    const held = [...(await heldWith(server))];
    await server.close();
    const differences = held.flatMap(([step, own]) => {
      const other = record.answers.get(step);
      return other === undefined ? [] : differencesOf(step, own, other);
    });
    verdict = judge(held.length, differences, DIFFERENCES);
    const { kinds } = readOpenApi();
    const unlike = describedDifferences(described, kinds);
    openApi = judge(Object.keys(described).length, unlike, OPENAPI_DIFFERENCES);
  });
  afterAll(() => {
    process.stdout.write(summary("conversation", verdict) + summary("OpenAPI", openApi));
  });

  test("the record is of the kube-apiserver that is built, and of these requests", () => {
    expect(record.version, RECORD_ANEW).toBe(judgeVersion());
    expect([...record.asked], RECORD_ANEW).toEqual([...askedToday()]);
    expect(readOpenApi().version, RECORD_ANEW).toBe(judgeVersion());
  });

  test.each(TOPICS)("$title: no difference without a reason", ({ steps }) => {
    const names = new Set(steps.map(({ name }) => name));
    const left = verdict.unexplained.filter(({ step }) => names.has(step));
    expect(left.map(lineOf)).toEqual([]);
  });

  test("OpenAPI: no difference without a reason", () => {
    expect(openApi.unexplained.map(lineOf)).toEqual([]);
  });

  test("each listed difference still is one", () => {
    expect(
      [...verdict.idle, ...openApi.idle].map(({ steps, paths }) => `${steps}: ${paths}`),
    ).toEqual([]);
  });
});

function lineOf({ step, path, own, other }: Difference): string {
  const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, SHOWN_MAX);
  return `${step} ${path}: ours ${shown(own)}, theirs ${shown(other)}`;
}

function summary(what: string, { steps, equal, byReason }: Verdict): string {
  const reasons = [...byReason].map(
    ([reason, count]) => `  ${reason}: ${count.differences} differences in ${count.steps} steps\n`,
  );
  return `${what}: ${steps} steps, ${equal} equal\n${reasons.join("")}`;
}
