import { expect, test } from "vitest";
import { explainCall, RefusedCall } from "./refused-call.ts";
import { withRenewedToken } from "./renewed-token.ts";

/** Tokens `t1`, `t2` …; the API takes the `good` one alone. */
async function asked(good: string) {
  let number = 1;
  const sent: string[] = [];
  const tokens = {
    token: async () => `t${number}`,
    forget: () => {
      number += 1;
    },
  };
  const answer = await withRenewedToken(tokens, async (token) => {
    sent.push(token);
    const status = token === good ? 200 : 401;
    return { status, isGood: status === 200, text: "", json: {}, headers: {}, retryAfterMs: null };
  });
  return { status: answer.status, sent, next: await tokens.token() };
}

test("a revoked token is renewed once, and forgotten when the next one is refused as well", async () => {
  expect(await asked("t1")).toEqual({ status: 200, sent: ["t1"], next: "t1" });
  expect(await asked("t2")).toEqual({ status: 200, sent: ["t1", "t2"], next: "t2" });
  expect(await asked("none")).toEqual({ status: 401, sent: ["t1", "t2"], next: "t3" });
});

test("whose identity is the program's own is not told to correct a Secret", () => {
  const call = { status: 401, text: "no", retryAfterMs: null };
  const text = (isOwnIdentity: boolean): string =>
    explainCall(new RefusedCall({ ...call, isOwnIdentity }), "x", {
      keyRemedy: "correct the Secret",
    }).message;
  expect(text(false)).toContain("correct the Secret");
  expect(text(true)).not.toContain("Secret");
  expect(text(true)).toContain("give it the rights");
});
