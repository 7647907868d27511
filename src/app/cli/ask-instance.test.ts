import { expect, test } from "vitest";
import { askApproval, askExplain, askOwnership, askPlan } from "./ask-instance.ts";

/** Nobody listens there, and the folder has nothing. */
const config = {
  data: "/nonexistent/zonekeeper",
  server: "http://127.0.0.1:1",
  apiTokenFile: "/nonexistent/token",
  output: "markdown",
} as const;

test.each<[string, () => Promise<unknown>]>([
  ["explain", () => askExplain(config, "www.example.org")],
  ["approve", () => askApproval(config, "0000000000000000")],
  ["ownership", () => askOwnership(config, { path: "" }, false)],
])("%s has no Markdown and says so before it asks anybody", async (_, asking) => {
  await expect(asking()).rejects.toMatchObject({
    code: "InvalidOption",
    message: "--output markdown is for plan alone; give text or json",
  });
});

test("plan has it", async () => {
  const view = { ...config, zone: null, name: null, limit: null };
  const asking = askPlan(view, { columns: null, color: false });
  await expect(asking).rejects.toMatchObject({ code: "TokenUnreadable" });
});
