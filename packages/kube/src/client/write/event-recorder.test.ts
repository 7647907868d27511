/** Events as the server gets them: counted up, bounded, never in anybody's way. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { beforeEach, expect, test } from "vitest";
import {
  HandlerClient,
  jsonResponse,
  statusBody,
  statusResponse,
} from "../../../../../test/support/clients/handler-client.ts";
import { FakeApiServer } from "../../../../../test/support/ports/fake-api-server.ts";
import {
  MemoryLog,
  MemoryMetrics,
  SeededRandom,
} from "../../../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { EVENT } from "../../objects/kinds.ts";
import { fieldsOf } from "../../objects/object-fields.ts";
import { ApiClient } from "../requests/api-client.ts";
import { ApiClusterWriter } from "./cluster-writer.ts";
import { ApiEventRecorder } from "./event-recorder.ts";

const clock = new VirtualClock();
let server: FakeApiServer;
let http: HandlerClient;
let metrics: MemoryMetrics;
let recorder: ApiEventRecorder;

beforeEach(() => {
  server = new FakeApiServer([EVENT]);
  http = new HandlerClient(server.handler);
  metrics = new MemoryMetrics();
  const client = new ApiClient({ http, clock });
  recorder = new ApiEventRecorder({
    writer: new ApiClusterWriter({ clusterId: "c1", client, clock, rate: null }),
    clock,
    random: new SeededRandom(9),
    log: new MemoryLog(),
    metrics,
    urgentKinds: ["DNSProvider"],
  });
});

const service = (name = "web") => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { namespace: "default", name, uid: `uid-${name}`, resourceVersion: "5" },
});
const note = (message = "www.example.org: published") =>
  ({ type: "Normal", reason: "dns-annotation", message }) as const;

test("an Event names the object and describes the change", async () => {
  recorder.record(service(), note());
  await clock.settle();
  expect(server.objects(EVENT)).toMatchObject([
    {
      apiVersion: "v1",
      kind: "Event",
      metadata: { namespace: "default", name: expect.stringMatching(/^web\.[0-9a-f]{16}$/) },
      involvedObject: { kind: "Service", namespace: "default", name: "web", uid: "uid-web" },
      type: "Normal",
      reason: "dns-annotation",
      message: "www.example.org: published",
      source: { component: "zonekeeper" },
      firstTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      count: 1,
    },
  ]);
});

test("equal notes are counted up on one Event, others are not", async () => {
  for (let i = 0; i < 5; i++) recorder.record(service(), note());
  await clock.settle();
  await clock.advance(60_000);
  recorder.record(service(), note());
  recorder.record(service(), note("another"));
  recorder.record(service("other"), note());
  await clock.settle();
  expect(server.objects(EVENT)).toMatchObject(
    [
      { message: "another", count: 1 },
      { involvedObject: { name: "other" }, count: 1 },
      { involvedObject: { name: "web" }, count: 6 },
    ].sort((x) => (x.count === 6 ? -1 : 1)),
  );
});

test("in an accident the DNSProvider's Event and the first Warning go first, within 5 s", async () => {
  const held = { type: "Warning", reason: "DNSEntryDeleting", message: "held" } as const;
  for (let index = 0; index < 300; index++) recorder.record(service(`a${index}`), note());
  await clock.advance(1_000);
  for (let index = 0; index < 300; index++) recorder.record(service(`b${index}`), held);
  const provider = { ...service("p"), kind: "DNSProvider" };
  recorder.record(provider, { ...held, reason: "ChangesHeld" });
  await clock.advance(5_000);
  const about = server.objects(EVENT).map((one) => fieldsOf(one["involvedObject"])?.["name"]);
  expect(about.filter((name) => !String(name).startsWith("a"))).toEqual(["b0", "p"]);
  await clock.advance(600_000);
  expect(server.objects(EVENT)).toHaveLength(601);
});

test("an Event that expired on the server is created anew", async () => {
  recorder.record(service(), note());
  await clock.settle();
  const [first] = server.objects(EVENT);
  server.remove(EVENT, "default", String(fieldsOf(first?.["metadata"])["name"]));
  recorder.record(service(), note());
  await clock.settle();
  expect(server.objects(EVENT)).toMatchObject([{ count: 2 }]);
});

test("a creation whose answer was lost is not made twice", async () => {
  http.failNext(/POST/, async (request, next) => {
    await next(request);
    throw new OperationError({ code: "ConnectionLost", message: "reset", retry: "backoff" });
  });
  recorder.record(service(), note());
  await clock.advance(60_000);
  expect(server.objects(EVENT)).toHaveLength(1);
});

test("a server that is away is tried a few times; a refusal once", async () => {
  http.failNext(/POST/, () => statusResponse(503, "ServiceUnavailable"), 100);
  recorder.record(service(), note());
  await clock.advance(60_000);
  expect(http.asked(/POST/)).toHaveLength(4);
  http.interceptors = [];
  http.failNext(/POST/, () => statusResponse(403, "Forbidden"), 100);
  recorder.record(service(), note("other"));
  await clock.advance(60_000);
  expect(http.asked(/POST/)).toHaveLength(5);
});

test("what waits for the rate is written as a burst at a stretch, and one alone after its 200 ms", async () => {
  for (let i = 0; i < 60; i++) recorder.record(service(), note(`message ${i}`));
  await clock.settle();
  const counts: number[] = [];
  for (let second = 0; second < 8; second++) {
    await clock.advance(1_000);
    counts.push(server.objects(EVENT).length);
  }
  expect(counts).toEqual([25, 25, 25, 25, 50, 50, 60, 60]);
  recorder.record(service(), note("alone"));
  await clock.advance(200);
  expect(server.objects(EVENT)).toHaveLength(61);
});

test("a storm is limited, and what does not fit is counted", async () => {
  for (let i = 0; i < 2_000; i++) recorder.record(service(), note(`message ${i}`));
  await clock.settle();
  expect(server.objects(EVENT)).toHaveLength(25);
  expect(metrics.value("zonekeeper_events_dropped_total", { cluster: "c1" })).toBe(1_000);
  await clock.advance(10_000);
  expect(server.objects(EVENT)).toHaveLength(75);
  const stopped = recorder.stop(2_000);
  await clock.advance(2_000);
  await stopped;
  expect(server.objects(EVENT).length).toBeLessThan(90);
});

test("the last Event of each object gets through, however many there are; earlier ones go first", async () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `web-${index}`);
  for (const message of ["created", "published"])
    for (const name of names) recorder.record(service(name), note(message));
  recorder.record(service("web-7"), note("created"));
  await clock.advance(3_000_000);
  const messages = new Map(names.map((name) => [name, [] as unknown[]]));
  for (const event of server.objects(EVENT))
    messages.get(String(fieldsOf(event["involvedObject"])["name"]))?.push(event["message"]);
  expect(messages.get("web-7")).toContain("created");
  for (const name of names) if (name !== "web-7") expect(messages.get(name)).toContain("published");
  const dropped = metrics.value("zonekeeper_events_dropped_total", { cluster: "c1" });
  expect(server.objects(EVENT)).toHaveLength(6_001 - (dropped ?? 0));
});

test("a long message is cut between characters", async () => {
  recorder.record(service(), note("ä€😀".repeat(300)));
  await clock.settle();
  const message = String(server.objects(EVENT)[0]?.["message"]);
  expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(1_024);
  expect(message).toMatch(/[ä€😀]…$/u);
});

test("a refused Event is counted and said until one is taken; a terminating namespace refuses none", async () => {
  const refused = () => metrics.value("zonekeeper_events_refused_total", { cluster: "c1" });
  const refusal = (message: string) =>
    jsonResponse(403, { ...statusBody(403, "Forbidden"), message });
  const record = async (text: string): Promise<void> => {
    recorder.record(service(), note(text));
    await clock.advance(1_000);
  };
  http.failNext(/POST/, () => refusal('namespaces "x" is being terminated'));
  await record("one");
  expect([refused(), recorder.refusal()]).toEqual([0, null]);
  http.failNext(/POST/, () => refusal("exceeded quota"));
  await record("two");
  expect([refused(), recorder.refusal()]).toEqual([1, expect.stringContaining("exceeded quota")]);
  await record("three");
  expect([refused(), recorder.refusal()]).toEqual([1, null]);
});
