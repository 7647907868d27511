/** What a back end repeats of a Secret is not shown, whatever the type of the DNSProvider. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { afterEach, expect, test } from "vitest";
import { applyOnce, create, recordSet, soon } from "../../test/conformance/provider-harness.ts";
import { CLOUDFLARE_SECRET, makeFake } from "../../test/support/fakes/cloudflare/harness.ts";
import { errorBody } from "../../test/support/fakes/cloudflare/server.ts";
import { FakePowerDns } from "../../test/support/fakes/powerdns/server.ts";
import { NO_FAULTS } from "../../test/support/memory-provider/faults.ts";
import { MemorySession } from "../../test/support/memory-provider/memory-session.ts";
import { VirtualClock } from "../../test/support/ports/virtual-clock.ts";
import { realEnvironment } from "../../test/support/values/rfc2136-session.ts";
import { PROVIDER_TYPES } from "./index.ts";
import type { ProviderSession, ProviderSettings } from "./provider.ts";
import { withoutSecrets } from "./shared/hidden-secrets.ts";
import { explainCall, RefusedCall } from "./shared/refused-call.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function open(type: string, settings: ProviderSettings): Promise<ProviderSession> {
  const opened = await PROVIDER_TYPES.find((one) => one.type === type)?.open(
    settings,
    realEnvironment(),
  );
  if (opened?.ok !== true) throw new Error(JSON.stringify(opened?.error));
  ends.push(() => opened.value.close());
  return opened.value;
}

async function messageOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.catch((one: unknown) => one);
  expect(error).toBeInstanceOf(OperationError);
  const shown = error as OperationError;
  expect(String(shown.cause)).not.toMatch(/Sn3l|very-secret/);
  return shown.message;
}

test("Cloudflare repeats the token", async () => {
  const fake = makeFake();
  const endpoint = await fake.start();
  ends.push(() => fake.stop());
  const session = await open("cloudflare-dns", { secret: CLOUDFLARE_SECRET, config: { endpoint } });
  const token = CLOUDFLARE_SECRET.CLOUDFLARE_API_TOKEN;
  const body = errorBody(9109, `Invalid access token ${token}, sorry`);
  fake.breakNext(/zones/, { is: "refused", status: 403, body });
  const message = await messageOf(session.zones(soon()));
  expect(message).toMatch(/Invalid access token …, sorry .*correct the Secret/);
  const long = errorBody(9109, `${"x ".repeat(190)}${token}`);
  fake.breakNext(/zones/, { is: "refused", status: 403, body: long });
  expect(await messageOf(session.zones(soon()))).toMatch(/x …/);
});

test.each([
  ["as it is", (value: string) => value],
  ["in an address", encodeURIComponent],
  ["in a form", (value: string) => new URLSearchParams([["", value]]).toString().slice(1)],
  ["in a page", (value: string) => value.replace("&", "&amp;")],
  ["in JSON", (value: string) => JSON.stringify(value).slice(1, -1).replace("ü", "\\u00fc")],
  ["in Base64", (value: string) => Buffer.from(value).toString("base64")],
  ["at the end of what is shown", (value: string) => `${"y".repeat(380)} ${value} more`],
  ["in a word that is cut", (value: string) => `${"y ".repeat(195)}(${value}`],
])("a password %s is hidden", async (_, spelling) => {
  const PASSWORD = "very-secret &/ü1";
  const text = `wrong: ${spelling(PASSWORD)}`;
  const refused = new RefusedCall({ status: 401, text, retryAfterMs: null });
  const rules = { keyRemedy: "correct the Secret" };
  const zones = () => Promise.reject(explainCall(refused, "the zones cannot be listed", rules));
  const environment = { clock: new VirtualClock(), dryRun: false };
  const session = new MemorySession({ zones: () => [], faults: NO_FAULTS, environment });
  session.zones = zones;
  const message = await messageOf(
    withoutSecrets(session, { secret: { PASSWORD } }, { values: [] }).zones(soon()),
  );
  expect(message).toContain("…");
  expect(message).not.toMatch(/very-sec|secret ?(&|%|\+)|dmVyeS/);
});

test("PowerDNS repeats the key, in what is read and what is written", async () => {
  const ApiKey = "very-secret-key";
  const fake = new FakePowerDns(ApiKey);
  const Server = await fake.start();
  ends.push(() => fake.stop());
  fake.addZone("example.org");
  const session = await open("powerdns", { secret: { Server, ApiKey }, config: null });
  const [zone] = await session.zones(soon());
  if (zone === undefined) throw new Error("no zone");
  const body = JSON.stringify({ error: `the key ${ApiKey} at ${Server} is wrong` });
  fake.breakNext(/^GET/, { is: "refused", status: 401, body });
  // What is no secret stays: people look for it.
  expect(await messageOf(session.records(zone, null, soon()))).toContain(
    `the key … at ${Server} is wrong`,
  );
  fake.breakNext(/^PATCH/, { is: "refused", status: 422, body });
  const set = recordSet("a.example.org", "A", "192.0.2.1");
  expect(await applyOnce(session, [create(set)])).toEqual([
    {
      name: "a.example.org",
      status: "rejected",
      code: "PowerDns422",
      message: `the key … at ${Server} is wrong`,
    },
  ]);
});
