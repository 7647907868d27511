/**
 * The commands of docs/guides/ownership.md, run as they stand, in their order, by the person at the
 * cluster `east`. A second cluster, `west`, shares nothing with it but a zone on a BIND.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { blocksOf } from "../support/programs/documented-commands.ts";
import { type GuideReader, GuideShell } from "../support/programs/guide-shell.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/ownership.md", "utf8");

/** Lines of the command blocks of a section, indented in a list or not. */
function linesOf(section: string, language = ""): readonly string[] {
  const plain = GUIDE.replaceAll(/^ {3}/gm, "");
  return blocksOf(plain, section, language).map((block) => block.trimEnd());
}

/** The tests are one session in order. */
describeReal("the guide to ownership", ["kubectl-1.32", "bind", "dig"], () => {
  let zone: RealZone;
  let east: GuideReader;
  let west: GuideReader;
  const shell = new GuideShell();
  const open = async (owner: string): Promise<GuideReader> => {
    const session = await RunSession.open();
    await session.user.apply(account("org", zone.server));
    return { session, instance: await session.run(owner) };
  };
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.org" }));
    [east, west] = await Promise.all([open("east"), open("west")]);
  });
  afterAll(async () => {
    shell.close();
    await Promise.all([east?.session.close(), west?.session.close()]);
    await zone?.server.stop();
  });
  const publish = async (name: string, label: string, address: string): Promise<void> => {
    await east.session.user.apply(entry(name, zone.name(label), { targets: [address], ttl: 60 }));
  };
  /** A record with a marker as external-dns writes it. */
  const writeOwned = (label: string, owner: string, address: string): Promise<void> => {
    const marker = `heritage=external-dns,external-dns/owner=${owner},external-dns/resource=service/default/${label}`;
    return zone.foreignWriter(
      `update add ${zone.name(label)} 60 A ${address}`,
      `update add a-${zone.name(label)} 60 TXT "${marker}"`,
    );
  };
  /** Each line with its exit code and output. */
  const runEach = async (lines: readonly string[]) => {
    const results: { readonly line: string; readonly code: number; readonly stdout: string }[] = [];
    for (const line of lines.flatMap((block) => block.split("\n"))) {
      const { code, stdout, stderr } = await shell.run(east, line);
      results.push({ line, code, stdout: `${stdout}${stderr}` });
    }
    return results;
  };
  /** What one shows and the other does: 2, then 0. */
  const showsThenDoes = async (lines: readonly string[]): Promise<void> => {
    const results = await runEach(lines);
    expect(results.map(({ line, code }) => [line, code])).toEqual(
      results.map(({ line }) => [line, line.includes(" --yes") ? 0 : 2]),
    );
    expect(results.length % 2).toBe(0);
  };
  /** The instance has seen what was written beside it. */
  const knows = (label: string, text: string): Promise<unknown> =>
    eventually(
      `explain ${label} says ${text}`,
      () => east.instance.cli("explain", zone.name(label)),
      ({ stdout }) => stdout.includes(text),
    );

  test("look first", async () => {
    await publish("web", "www", "192.0.2.1");
    await zone.becomes("www", "A", "192.0.2.1");
    await east.session.user.becomes("dnse", "web", "Ready");
    const results = await runEach(linesOf("Look first"));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    for (const { stdout } of results.slice(0, 2)) expect(stdout).toContain("www.example.org");
  });

  test("a name moves to another cluster, and its record stays when the former object goes", async () => {
    const section = "Move a name to another cluster";
    const [claim = ""] = linesOf(section, "yaml");
    await west.session.user.apply(claim);
    await west.session.user.becomes("dnse", "shop", "Error", /permit/);
    const [permit = "", wait = "", ...others] = linesOf(section);
    expect(others).toEqual([]);
    expect((await shell.run(east, permit)).code).toBe(0);
    expect(await shell.run(west, wait)).toMatchObject({ code: 0, stderr: "" });
    await east.session.user.becomes("dnse", "web", "Stale", /as this object permits/);
    await east.session.user.delete("dnse", "web");
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
    await west.session.user.delete("dnse", "shop");
    await zone.becomes("www", "A");
  });

  test("a record that nobody owns is adopted, and released again", async () => {
    await zone.foreignWriter(`update add ${zone.name("www")} 60 A 192.0.2.7`);
    await publish("web", "www", "192.0.2.7");
    await east.session.user.becomes("dnse", "web", "Error", /has no owner/);
    await showsThenDoes(linesOf("Take over a record that nobody owns"));
    await east.session.user.becomes("dnse", "web", "Ready");
    await showsThenDoes(linesOf("Release a record"));
    await zone.becomes("a-www", "TXT");
    expect(await zone.answers("www")).toEqual(["192.0.2.7"]);
  });

  test("orphans are listed and removed", async () => {
    for (const label of ["old", "api"]) await writeOwned(label, "east", "192.0.2.8");
    for (const label of ["old", "api"]) await knows(label, "Orphan");
    const [first = "", ...others] = linesOf("Orphans").flatMap((block) => block.split("\n"));
    const [listed] = await runEach([first]);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining("old.example.org") });
    await showsThenDoes(others);
    for (const label of ["old", "api"]) await zone.becomes(label, "A");
  });

  test("records of an owner that is gone are taken, all or one", async () => {
    const lines = linesOf("When the owner is gone").flatMap((block) => block.split("\n"));
    const take = async (label: string, commands: readonly string[]): Promise<void> => {
      await writeOwned(label, "north", "192.0.2.9");
      await publish(label, label, "192.0.2.9");
      await east.session.user.becomes("dnse", label, "Error", /north/);
      await showsThenDoes(commands);
      await east.session.user.becomes("dnse", label, "Ready");
      expect(await zone.answers(label)).toEqual(["192.0.2.9"]);
    };
    await take("two", lines.slice(0, 2));
    await take("one", lines.slice(2));
    expect(lines).toHaveLength(4);
  });
});
