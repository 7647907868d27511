/**
 * The live mode itself (test/real/live.test.ts), run as a person runs it: its variables and files
 * lead to fakes and servers of this host. It plays in each, leaves nothing, and tells no secret.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { VENDORS } from "../support/fakes/vendors.ts";
import { LIVE_ROWS, variableOf } from "../support/live/accounts.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { run } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";

const ZONE = "example.org";
/** Longer than a step may take, so that it is told which one did. */
const MODE_TIMEOUT_MS = 420_000;
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The variables of one provider; its file is what its page shows, with other values. */
async function variables(
  name: string,
  account: { readonly secret: Readonly<Record<string, string>>; readonly providerConfig: unknown },
): Promise<Readonly<Record<string, string>>> {
  const folder = makeTempFolder("live");
  ends.push(() => folder.remove());
  const file = join(folder.path, "account.yaml");
  const objects = [
    { apiVersion: "v1", kind: "Secret", stringData: account.secret },
    { kind: "DNSProvider", spec: { providerConfig: account.providerConfig } },
  ];
  writeFileSync(file, objects.map((one) => JSON.stringify(one)).join("\n---\n"));
  return { [variableOf(name)]: ZONE, [`${variableOf(name)}_FILE`]: file };
}

const HIDDEN = /secret|password|token|private_key|apikey|^access_key/i;

async function play(env: Readonly<Record<string, string>>) {
  const foreign = Object.keys(process.env).filter((name) => name.startsWith("VITEST"));
  const without = Object.fromEntries(foreign.map((name) => [name, ""]));
  return run(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--project", "live", "--reporter", "verbose"],
    { env: { ...without, NO_COLOR: "1", ...env }, timeoutMs: MODE_TIMEOUT_MS },
  );
}

async function playVendors(types: readonly string[]): Promise<void> {
  const env: Record<string, string> = {};
  const secrets: string[] = [];
  const vendors = [];
  for (const { name, type } of LIVE_ROWS.filter((row) => types.includes(row.type))) {
    const vendor = await VENDORS[type]?.(ZONE);
    if (vendor === undefined) throw new Error(`no vendor ${type}`);
    ends.push(() => vendor.stop());
    vendors.push({ type, sets: vendor.sets, before: await shown(vendor.sets) });
    Object.assign(env, await variables(name, vendor));
    for (const [key, value] of Object.entries(vendor.secret))
      if (HIDDEN.test(key)) secrets.push(value);
  }
  const { code, stdout, stderr } = await play(env);
  expect(code, `${stdout}${stderr}`).toBe(0);
  expect(stdout).toMatch(new RegExp(`Tests.* ${types.length} passed`));
  for (const secret of secrets) expect(`${stdout}${stderr}`).not.toContain(secret);
  for (const { type, sets, before } of vendors)
    expect(await shown(sets), `${type} is as before`).toEqual(before);
}

async function shown(sets: () => Promise<readonly { name: string; type: string }[]>) {
  return (await sets()).map(({ name, type }) => `${name} ${type}`).sort();
}

const SERVERS = ["coredns-etcd", "openstack-designate", "powerdns", "rfc2136"];
const FAKES = Object.keys(VENDORS).filter((type) => !SERVERS.includes(type));

describeReal("live mode on fakes", ["dig"], () => {
  test(`${FAKES.join(", ")}`, () => playVendors(FAKES), MODE_TIMEOUT_MS);
});
describeReal("live mode on servers", ["powerdns", "etcd", "openstack", "bind"], () => {
  test(`${SERVERS.join(", ")}`, () => playVendors(SERVERS), MODE_TIMEOUT_MS);
});
describeReal("live mode on BIND", ["bind"], () => {
  test("rfc2136", async () => {
    const server = await startBind({ zone: ZONE });
    ends.push(() => server.stop());
    const { name, secretBase64, algorithm } = server.key;
    const secret = {
      Server: `${server.host}:${server.port}`,
      Zone: ZONE,
      TSIGKeyName: name,
      TSIGSecret: secretBase64,
      TSIGSecretAlgorithm: algorithm,
    };
    const { code, stdout, stderr } = await play(
      await variables("RFC2136", { secret, providerConfig: null }),
    );
    expect(code, `${stdout}${stderr}`).toBe(0);
    expect(stdout).toMatch(/Tests.* 1 passed/);
    expect(`${stdout}${stderr}`).not.toContain(secretBase64);
  });
});
