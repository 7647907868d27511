import { expect, test } from "vitest";
import { askPlan } from "./ask-instance.ts";

/** Nobody listens there, and the folder has nothing. */
const config = {
  data: "/nonexistent/zonekeeper",
  server: "http://127.0.0.1:1",
  apiTokenFile: "/nonexistent/token",
  output: "markdown",
} as const;

test("plan may answer in Markdown", async () => {
  const view = { ...config, zone: null, name: null, limit: null };
  const asking = askPlan(view, { columns: null, color: false });
  await expect(asking).rejects.toMatchObject({ code: "TokenUnreadable" });
});
