import { Command } from "commander";
import { expect, test } from "vitest";
import type { CommandName } from "../../config/option.ts";
import type { ResolvedOptions } from "../../config/resolved-options.ts";
import { toRunConfig } from "../../config/run-config.ts";
import { ProblemsError } from "../commands/process/exit.ts";
import { addOptions, resolveGiven } from "./given-options.ts";

/** The options of a command as they come from a command line. */
function given(
  name: CommandName,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): ResolvedOptions {
  const command = new Command(name).exitOverride();
  addOptions(command, name);
  command.parse([...args], { from: "user" });
  return resolveGiven(command, name, { environment });
}

const publishOf = (...args: readonly string[]) => {
  const config = toRunConfig(given("run", ["--owner", "me", ...args]));
  return config.ok ? config.value.publish : null;
};

test("--no-targets-grace has a value, though commander takes --no- for a negation", () => {
  expect(publishOf()?.noTargetsGraceMs).toBeNull();
  expect(publishOf("--no-targets-grace", "24h")?.noTargetsGraceMs).toBe(86_400_000);
  expect(publishOf("--no-targets-grace=90s")?.noTargetsGraceMs).toBe(90_000);
});

test("--no-examples is a flag of its own", () => {
  expect(given("dev", []).flag("no-examples")).toBe(false);
  expect(given("dev", ["--no-examples"]).flag("no-examples")).toBe(true);
});

test("a flag may be given bare or with its value; an alias is the same option", () => {
  expect(given("run", ["--owner", "me", "--dry-run"]).flag("dry-run")).toBe(true);
  expect(given("run", ["--owner", "me", "--dry-run=false"]).flag("dry-run")).toBe(false);
  expect(given("run", ["--txt-owner-id", "me"]).needText("owner")).toBe("me");
});

test("the environment counts where no flag is given", () => {
  const environment = { ZONEKEEPER_NO_TARGETS_GRACE: "1h" };
  expect(given("dev", [], environment).number("no-targets-grace")).toBe(3_600_000);
  const both = given("dev", ["--no-targets-grace", "2h"], environment);
  expect(both.number("no-targets-grace")).toBe(7_200_000);
});

test("what is wrong is said, all of it", () => {
  const wrong = () => given("run", ["--ttl", "0", "--no-targets-grace", "soon"]);
  expect(wrong).toThrow(ProblemsError);
  expect(wrong).toThrow(/--ttl[\s\S]*--no-targets-grace|--no-targets-grace[\s\S]*--ttl/);
});

test("the API of a Pod needs its port for a certificate, and both its files", () => {
  const apiOf = (...args: readonly string[]) => {
    const config = toRunConfig(given("run", ["--owner", "me", ...args]));
    return config.ok ? config.value.api : config.error.map(({ message }) => message).join();
  };
  expect(apiOf()).toBeNull();
  const tokenFile = "/var/run/zonekeeper/api/token";
  expect(apiOf("--api-port", "8443")).toEqual({ port: 8443, tokenFile, tls: null });
  const pair = ["--api-tls-cert-file", "/c", "--api-tls-key-file", "/k"];
  expect(apiOf("--api-port", "8443", "--api-token-file", "/t", ...pair)).toEqual({
    port: 8443,
    tokenFile: "/t",
    tls: { certFile: "/c", keyFile: "/k" },
  });
  expect(apiOf(...pair)).toMatch(/needs --api-port/);
  expect(apiOf("--api-port", "8443", ...pair.slice(0, 2))).toMatch(/needs --api-tls-key-file/);
  expect(apiOf("--api-port", "8443", ...pair.slice(2))).toMatch(/needs --api-tls-cert-file/);
});
