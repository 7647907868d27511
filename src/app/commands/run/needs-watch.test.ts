import type { HttpHandler } from "@zonekeeper/base/ports/http";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { HandlerClient } from "../../../../test/support/clients/handler-client.ts";
import { MemoryLog } from "../../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../../test/support/ports/virtual-clock.ts";
import { NeedsWatch } from "./needs-watch.ts";

/** A review of Services in one cluster, whose answer and whose watch the test decides. */
function reviewed() {
  const clock = new VirtualClock();
  const log = new MemoryLog();
  const answers = { allowed: true, unreadable: [] as readonly string[], reviews: 0 };
  const handler: HttpHandler = async ({ body }) => {
    const text = Buffer.from(body ?? []).toString();
    const isOfServices = text.includes('"services"');
    if (isOfServices) answers.reviews += 1;
    const status = { allowed: answers.allowed || !isOfServices };
    const answer = Buffer.from(JSON.stringify({ status }));
    async function* bytes() {
      yield answer;
    }
    return { status: 201, headers: { "content-type": "application/json" }, body: bytes() };
  };
  const client = new ApiClient({ http: new HandlerClient(handler), clock });
  const asked = { client, option: "--kubeconfig", origin: "test" };
  const what = { part: "cluster", cluster: "source", kind: SERVICE } as const;
  const need = { ...what, verbs: ["list"], namespace: null };
  const watch = new NeedsWatch({
    needs: [{ ...need, subresource: null, name: null }],
    install: async () => true,
    connections: { source: asked, target: asked, provider: asked, lease: asked },
    reviewSecrets: async () => ({ namespaces: [], user: null }),
    unreadable: () => new Set(answers.unreadable),
    clock,
    log,
  });
  const stop = new AbortController();
  void watch.run(stop.signal);
  return {
    clock,
    answers,
    watch,
    stop,
    missing: () => watch.checks().map(({ message }) => message),
  };
}

test("a right that is taken away is reported with its remedy when its watch is refused", async () => {
  const { clock, answers, missing, stop } = reviewed();
  await clock.advance(1_000);
  expect([answers.reviews, missing()]).toEqual([1, []]);
  answers.allowed = false;
  await clock.advance(60_000);
  expect([answers.reviews, missing()]).toEqual([1, []]);
  answers.unreadable = ["source services"];
  await clock.advance(2_000);
  expect(missing()).toEqual([
    expect.stringMatching(/list services.*kubectl apply -f deploy\/rbac/),
  ]);
  answers.allowed = true;
  await clock.advance(10_000);
  expect(missing()).toEqual([]);
  stop.abort();
});

test("what stays unreadable without a missing right is reviewed once, and then as seldom as ever", async () => {
  const { clock, answers, stop } = reviewed();
  await clock.advance(1_000);
  answers.unreadable = ["source services"];
  await clock.advance(100_000);
  expect(answers.reviews).toBe(2);
  await clock.advance(300_000);
  expect(answers.reviews).toBe(3);
  answers.unreadable = [];
  await clock.advance(4_000);
  answers.unreadable = ["source services"];
  await clock.advance(4_000);
  expect(answers.reviews).toBe(4);
  stop.abort();
});
