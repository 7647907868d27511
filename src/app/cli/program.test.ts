import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { PLUGIN_NAME } from "../commands/process/program-context.ts";
import { buildProgram } from "./program.ts";

const program = buildProgram({
  environment: {},
  print: () => undefined,
  terminal: { columns: null, color: false },
  programName: "zonekeeper",
  isWholeHelp: false,
  setExitCode: () => undefined,
});
const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
const path = (command: Command): string =>
  command.parent === null ? "" : `${path(command.parent)} ${command.name()}`.trim();

describe("the command line", () => {
  test("has the commands that the guides speak of", () => {
    expect(all(program).map(path)).toEqual(
      expect.arrayContaining([
        "dev",
        "run",
        "plan",
        "explain",
        "approve",
        "pause",
        "resume",
        "transfer",
        "ownership list",
        "ownership adopt",
        "registry migrate",
        "owner take",
      ]),
    );
  });

  test.each(all(program).map((command) => [path(command), command] as const))(
    "`%s` says what it is for and what each option does",
    (_, command) => {
      expect(command.description()).not.toBe("");
      for (const option of command.options.filter(({ hidden }) => !hidden))
        expect(option.description, option.flags).not.toBe("");
      expect(command.helpInformation()).toContain("Usage:");
    },
  );

  test("transfer without --force says why the option is there", async () => {
    const line = ["node", "zonekeeper", "transfer", "--from", "old", "--to", "new"];
    await expect(program.parseAsync(line)).rejects.toThrow(
      /^--force: transfer does not ask the owner "old".* add --force if that instance is gone for good/,
    );
  });
});

describe("the command line of external-dns", () => {
  const refusalOf = (...args: readonly string[]): string => {
    let output = "";
    const built = buildProgram({
      environment: {},
      print: () => undefined,
      terminal: { columns: null, color: false },
      programName: "zonekeeper",
      isWholeHelp: false,
      setExitCode: () => undefined,
    });
    for (const command of all(built))
      command.exitOverride().configureOutput({ writeErr: (text) => (output += text) });
    expect(() => built.parse(["run", ...args], { from: "user" })).toThrow();
    return output;
  };

  test("is refused with what is in place of its flags, all at once", () => {
    const output = refusalOf("--source=service", "--provider=aws");
    expect(output).toMatch(/unknown option '--source=service'/);
    expect(output).toMatch(
      /--source is a flag of external-dns.*--provider: spec.type of a DNSProv/s,
    );
    expect(refusalOf("--sauce=service")).not.toMatch(/external-dns/);
  });

  test("no flag is listed that this program has", () => {
    const [run] = program.commands.filter((command) => command.name() === "run");
    const listed = [...refusalOf("--source=service").matchAll(/^ {2}(--[\w-]+):/gm)];
    expect(listed.length).toBeGreaterThan(5);
    for (const [, flag] of listed) expect(run?.options.map(({ long }) => long)).not.toContain(flag);
  });
});

describe("help", () => {
  const helpOf = (name: string, isWholeHelp: boolean, programName = PLUGIN_NAME): string => {
    const built = buildProgram({
      environment: {},
      print: () => undefined,
      terminal: { columns: null, color: false },
      programName,
      isWholeHelp,
      setExitCode: () => undefined,
    });
    return built.commands.find((one) => one.name() === name)?.helpInformation() ?? "";
  };

  test("of run is short, and whole in groups where it is asked for", () => {
    const [short, whole] = [helpOf("run", false), helpOf("run", true)];
    expect(short.split("\n").length).toBeLessThan(45);
    expect(short).toContain("--owner");
    expect(short).not.toContain("--lease-name");
    for (const title of ["Clusters:", "Safety:", "Lease:", "Log:"]) expect(whole).toContain(title);
    expect(whole).toContain("--lease-name");
    expect(whole).not.toContain("preset");
    for (const line of whole.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });

  test.each([PLUGIN_NAME, "zonekeeper"])("has examples as they are typed: %s", (programName) => {
    const printed: string[] = [];
    const built = buildProgram({
      environment: {},
      print: (part) => void printed.push(part),
      terminal: { columns: null, color: false },
      programName,
      isWholeHelp: false,
      setExitCode: () => undefined,
    });
    for (const command of built.commands) command.outputHelp();
    const examples = printed.join("").match(/^ {2}(?:kubectl )?zonekeeper plan\b.*/gm) ?? [];
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) expect(example.trim()).toMatch(new RegExp(`^${programName} `));
  });

  test("speaks of the command at hand, and calls a plugin of kubectl as a person does", () => {
    expect(helpOf("plan", false)).toContain("Show this zone only.");
    expect(helpOf("plan", false)).not.toContain("embedded name server");
    expect(helpOf("dev", false)).toContain("The zone that the embedded name server serves.");
    expect(helpOf("plan", false)).toMatch(/^Usage: kubectl zonekeeper plan/);
  });

  test("has the options of kubectl for the plugin, and those of a folder for the program", () => {
    const flags = (programName: string) =>
      helpOf("explain", true, programName).match(/-(?:\w, -)?-[a-z-]+/g) ?? [];
    const [plugin, program] = [flags(PLUGIN_NAME), flags("zonekeeper")];
    const ofPlugin = ["--kubeconfig", "--context", "-n, --namespace", "-l, --selector"];
    const ofProgram = ["--data", "--server", "--api-token-file"];
    expect(plugin).toEqual(expect.arrayContaining([...ofPlugin, "-o, --output"]));
    expect(program).toEqual(expect.arrayContaining([...ofProgram, "--output"]));
    for (const one of ofPlugin) expect(program).not.toContain(one);
    for (const one of ofProgram) expect(plugin).not.toContain(one);
  });
});
