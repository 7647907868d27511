/**
 * `dev` while its store cannot be written: the process goes on, answers what it has, refuses what
 * is new, and takes it when there is room. A limit on the size of files stands for a full disk.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runOk } from "../support/programs/run.ts";
import { dnsEntry, UserSession } from "../support/programs/user-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const FULL = "the store cannot be written: reading goes on, and writing when there is room again";
/** More than fits into pages that are free already. */
const LONG = "x".repeat(100_000);

describeReal("dev on a full disk", ["kubectl-1.32", "dig"], () => {
  let user: UserSession;
  const limitFiles = (bytes: string): Promise<unknown> =>
    runOk("prlimit", ["--pid", String(user.dev.pid), `--fsize=${bytes}:`]);
  beforeAll(async () => {
    // Node ends at the signal of the limit unless somebody listens.
    const preload = "data:text/javascript,process.on(%22SIGXFSZ%22,()=>{})";
    user = await UserSession.startWith(
      "1.32",
      { NODE_OPTIONS: `--import=${preload}` },
      "--no-examples",
    );
    await user.apply(dnsEntry("before", "before.example.org", "targets: [192.0.2.1]"));
    await user.entryBecomes("before", "Ready");
  });
  afterAll(() => user?.close());

  test("refuses what is new, and goes on answering", async () => {
    await limitFiles(String(statSync(join(user.dev.data, "store.mdb")).size));
    const text = dnsEntry("new", "new.example.org", "targets: [192.0.2.2]", `text: ["${LONG}"]`);
    const { code, stderr } = await user.kubectl.run(["apply", "-f", "-"], text);
    expect([code, stderr]).toEqual([1, expect.stringContaining("the store cannot be written")]);
    expect(await user.answers("before.example.org")).toEqual(["192.0.2.1"]);
    expect((await user.list("dnse")).map(({ metadata }) => metadata.name)).toEqual(["before"]);
    expect(user.dev.output().split(FULL)).toHaveLength(2);
  });

  test("takes it when there is room again, and has kept everything", async () => {
    await limitFiles("unlimited");
    await user.apply(dnsEntry("new", "new.example.org", "targets: [192.0.2.2]"));
    await user.answersBecome("new.example.org", "A", ["192.0.2.2"]);
    expect(user.dev.output()).toContain("the store is written again");
    await user.dev.kill9();
    await user.dev.restart();
    expect(await user.answers("before.example.org")).toEqual(["192.0.2.1"]);
    await user.answersBecome("new.example.org", "A", ["192.0.2.2"]);
  });
});
