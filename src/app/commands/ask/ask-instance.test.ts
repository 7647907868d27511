import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askExplain, askPlan } from "./ask-instance.ts";

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

test.each([
  '{"schema":"zonekeeper.dev/explain/v2","name":"www.example.org"}',
  '{"name":"www.example.org"}',
  "www.example.org in zone example.org\n",
])("an instance of another version is heard as JSON alone: %s", async (answer) => {
  const folder = mkdtempSync(join(tmpdir(), "zk-ask-"));
  const apiTokenFile = join(folder, "token");
  writeFileSync(apiTokenFile, "t0ken-t0ken-t0ken-t0ken");
  const server = createServer((_request, response) => response.end(answer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const at = server.address();
    const port = typeof at === "object" ? at?.port : null;
    const asked = { ...config, apiTokenFile, server: `http://127.0.0.1:${port}` };
    await expect(askExplain({ ...asked, output: "text" }, "www.example.org")).rejects.toMatchObject(
      { code: "InstanceRefused", message: expect.stringContaining("--output json") },
    );
    const { text } = await askExplain({ ...asked, output: "json" }, "www.example.org");
    expect(text.trim()).toBe(answer.trim());
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
});
