import { expect, test } from "vitest";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { streamPair } from "./stream-pair.ts";

const clock = new VirtualClock();
const AT = { host: "127.0.0.1", port: 53 };
const bytes = (...values: readonly number[]) => new Uint8Array(values);

test("what one end writes the other reads, in order, in both directions", async () => {
  const [a, b] = streamPair(AT, clock);
  const written = Promise.all([a.write(bytes(1)), a.write(bytes(2)), b.write(bytes(3))]);
  expect([await b.read(), await b.read(), await a.read()]).toEqual([bytes(1), bytes(2), bytes(3)]);
  await written;
  expect([a.remote, b.remote]).toEqual([AT, AT]);
});

test("a write waits for the reader", async () => {
  const [a, b] = streamPair(AT, clock);
  let isWritten = false;
  const written = a.write(bytes(1)).then(() => {
    isWritten = true;
  });
  await clock.settle();
  expect(isWritten).toBe(false);
  await b.read();
  await written;
});

test("after a close: what was written is read, then the end; the closer is not written to", async () => {
  const [a, b] = streamPair(AT, clock);
  const last = a.write(bytes(1));
  const vain = b.write(bytes(2));
  a.close();
  await expect(vain).rejects.toMatchObject({ code: "ConnectionLost" });
  await expect(b.write(bytes(3))).rejects.toMatchObject({ code: "ConnectionLost" });
  await expect(a.write(bytes(3))).rejects.toMatchObject({ code: "ConnectionLost" });
  expect([await b.read(), await b.read(), await a.read()]).toEqual([bytes(1), null, null]);
  await last;
});

test("a read ends with the time given, and when either end closes", async () => {
  const [a, b] = streamPair(AT, clock);
  const late = expect(a.read(1_000)).rejects.toMatchObject({ code: "ReadTimeout" });
  await clock.advance(1_000);
  await late;
  const reads = Promise.all([a.read(1_000), b.read()]);
  b.close();
  expect(await reads).toEqual([null, null]);
  expect(clock.pendingTimers).toBe(0);
});
