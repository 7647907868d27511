import { expect, test } from "vitest";
import { METRICS } from "./metrics-table.ts";
import { formatForPeople, makeLog } from "./pino-log.ts";
import { PrometheusMetrics } from "./prometheus-metrics.ts";
import { RealClock } from "./real-clock.ts";
import { RealCrypto, RealRandom } from "./real-crypto.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex");

test("timers fire once after their delay and not after cancel", async () => {
  const clock = new RealClock();
  const start = clock.monotonicMs();
  let cancelled = false;
  clock
    .setTimer(5, () => {
      cancelled = true;
    })
    .cancel();
  await new Promise<void>((resolve) => clock.setTimer(20, resolve));
  expect(clock.monotonicMs() - start).toBeGreaterThanOrEqual(18);
  expect(cancelled).toBe(false);
});

test("a delay beyond setTimeout's limit does not fire at once", async () => {
  let fired = false;
  const timer = new RealClock().setTimer(2 ** 32, () => {
    fired = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  timer.cancel();
  expect(fired).toBe(false);
});

test("between two that yield, I/O has a turn", async () => {
  const [clock, order]: [RealClock, string[]] = [new RealClock(), []];
  const loop = async (name: string): Promise<void> => {
    for (let turn = 1; turn <= 2; turn++) {
      await clock.yieldNow();
      order.push(`${name}${turn}`);
    }
  };
  const loops = Promise.all(["a", "b", "c"].map(loop));
  setImmediate(() => order.push("I/O"));
  await loops;
  expect(order).toEqual(["a1", "I/O", "b1", "c1", "a2", "b2", "c2"]);
});

test("random numbers are in range, bytes have the length, uuids differ", () => {
  const random = new RealRandom();
  for (let round = 0; round < 1000; round++) {
    const value = random.next();
    expect(value >= 0 && value < 1).toBe(true);
  }
  expect(random.bytes(32)).toHaveLength(32);
  expect(random.uuid()).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(random.uuid()).not.toBe(random.uuid());
});

// RFC 4231 §4.3 and RFC 2202 §2, test case 2.
test("hmac and hash agree with published vectors", () => {
  const crypto = new RealCrypto();
  const data = bytes("what do ya want for nothing?");
  expect(hex(crypto.hmac("sha256", bytes("Jefe"), data))).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
  expect(hex(crypto.hmac("md5", bytes("Jefe"), data))).toBe("750c783e6ab0b503eaa86e310a5db738");
  expect(hex(crypto.hash("sha1", bytes("abc")))).toBe("a9993e364706816aba3e25717850c26c9cd0d89d");
  expect(crypto.equal(bytes("ab"), bytes("ab"))).toBe(true);
  expect(crypto.equal(bytes("ab"), bytes("abc"))).toBe(false);
});

test("log lines are JSON with level, message and fields; lower levels are dropped", () => {
  const lines: string[] = [];
  const log = makeLog({
    level: "info",
    format: "json",
    sink: { write: (line) => lines.push(line) },
  });
  log.debug("not this");
  log.child({ zone: "example.org" }).warn("zone load failed", { retryMs: 5 });
  expect(lines).toHaveLength(1);
  const { time, ...rest } = JSON.parse(lines[0] ?? "");
  expect(rest).toEqual({ level: "warn", zone: "example.org", retryMs: 5, msg: "zone load failed" });
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test.each(["json", "text"] as const)("what others wrote obeys no reader of %s", (format) => {
  const lines: string[] = [];
  const log = makeLog({ level: "info", format, sink: { write: (line) => lines.push(line) } });
  const object = "ev\u001b[2Jil\u009b\u202egnp<img>";
  log.info("changed", { object });
  const [line = ""] = lines;
  expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(line).toContain("ev\\u001b[2Jil\\u009b\\u202egnp<img>");
  if (format === "json") expect(JSON.parse(line).object).toBe(object);
});

test("commands in fields are as their readers type them, also below a child", () => {
  const lines: string[] = [];
  const log = makeLog({
    level: "info",
    format: "json",
    sink: { write: (line) => lines.push(line) },
    asTyped: (text) => text.toUpperCase(),
  });
  log.child({ part: "p" }).warn("held", { approve: "x 1", changes: 5, hash: null });
  const { approve, changes, hash, part } = JSON.parse(lines[0] ?? "");
  expect([approve, changes, hash, part]).toEqual(["X 1", 5, null, "p"]);
});

test("secrets by name do not reach the log", () => {
  const lines: string[] = [];
  const log = makeLog({
    level: "debug",
    format: "json",
    sink: { write: (line) => lines.push(line) },
  });
  log.info("m", { token: "abc-s3cret", headers: { authorization: "Bearer abc-s3cret" } });
  log.info("m", { object: { kind: "Secret", data: { key: "abc-s3cret" } } });
  expect(lines.join("")).not.toContain("s3cret");
  expect(lines.join("")).toContain("(hidden)");
});

test("a line for people is short", () => {
  const line = JSON.stringify({
    level: "warn",
    time: "2026-11-21T07:15:02.123Z",
    zone: "example.org",
    why: "two words",
    n: 3,
    msg: "zone load failed",
  });
  expect(formatForPeople(`${line}\n`)).toBe(
    '07:15:02 warn  zone load failed  zone=example.org why="two words" n=3',
  );
  expect(formatForPeople("plain\n")).toBe("plain");
  expect(formatForPeople(line, true)).toContain("07:15:02 \u001b[33mwarn \u001b[0m zone load");
});

test("metrics of the table are counted and exposed; others are a bug", async () => {
  const metrics = new PrometheusMetrics(METRICS, { process: false });
  metrics.count("zonekeeper_outcomes_total", { status: "applied" }, 3);
  metrics.gauge("workqueue_depth", 7, { name: "entry" });
  metrics.observe("workqueue_work_duration_seconds", 0.02, { name: "entry" });
  const { text, contentType } = await metrics.scrape();
  expect(contentType).toContain("text/plain");
  expect(text).toContain('zonekeeper_outcomes_total{status="applied"} 3');
  expect(text).toContain('workqueue_depth{name="entry"} 7');
  expect(text).toContain('workqueue_work_duration_seconds_bucket{le="0.025",name="entry"} 1');
  expect(() => metrics.count("no_such_total")).toThrow("metrics table");
  expect(() => metrics.gauge("workqueue_adds_total", 1)).toThrow("not a gauge");
});

test("how late the event loop is is told when it is asked, without looks of its own", async () => {
  const { text } = await new PrometheusMetrics([], { process: true }).scrape();
  expect(text.match(/^nodejs_eventloop_lag\w*/gm)).toEqual(["nodejs_eventloop_lag_seconds"]);
});

test("every metric is named by convention and declared once", () => {
  const names = METRICS.map((metric) => metric.name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, kind, help, labels } of METRICS) {
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    // Gardener's names are its own.
    if (kind === "counter") expect(name).toMatch(/_total$|^external_dns_management_/);
    expect(help).toMatch(/\.$/);
    expect(
      labels.filter((label) => /name$|host/.test(label) && !/^(name|host)$/.test(label)),
    ).toEqual([]);
  }
});
