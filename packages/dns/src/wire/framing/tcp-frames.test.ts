import fc from "fast-check";
import { expect, test } from "vitest";
import { frameMessage, TcpFrames } from "./tcp-frames.ts";

test("messages come back however the stream is cut", () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });
  fc.assert(
    fc.property(messages, fc.integer({ min: 1, max: 50 }), (sent, chunk) => {
      const stream = Uint8Array.from(sent.flatMap((message) => [...frameMessage(message)]));
      const frames = new TcpFrames();
      const received: Uint8Array[] = [];
      for (let at = 0; at < stream.length; at += chunk) {
        frames.push(stream.slice(at, at + chunk));
        for (let next = frames.take(); next !== null; next = frames.take()) received.push(next);
      }
      expect(received).toEqual(sent);
      expect(frames.pendingBytes).toBe(0);
    }),
  );
});

test("an unfinished message waits", () => {
  const frames = new TcpFrames();
  frames.push(Uint8Array.of(0, 3, 1));
  expect(frames.take()).toBeNull();
  expect(frames.pendingBytes).toBe(3);
});
