import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { instanceOf } from "../../../test/support/programs/idle-instance.ts";
import { blindLines } from "../commands/ask/texts/plan-lines.ts";
import { planOf } from "./plan-api.ts";

const FILTER = { name: null, limit: null };
const message = "its class is garden, and this instance is for gardendns";
const other = { object: "service/default/one", cluster: "c", state: "OtherClass", message };
const stale = { ...other, object: "dnsentry/default/two", state: "Stale", message: "no address" };

async function planned(...listed: readonly (typeof other)[]) {
  const name = trustedDnsName("www.example.org");
  const elsewhere = { ...other, name: trustedDnsName("www.example.net") };
  const all = [...listed.map((one) => ({ ...one, name })), elsewhere];
  const whoLists = async (isAsked: (name: typeof elsewhere.name) => boolean) =>
    all.filter((one) => isAsked(one.name));
  const zone = trustedDnsName("example.org");
  return planOf(instanceOf({ whoLists }), { ...FILTER, zone });
}

test("objects of other classes are counted in one line, and are no work", async () => {
  const plan = await planned(other, other, { ...other, object: "dnsentry/default/two" });
  expect(plan.otherClasses).toEqual({ count: 2, object: other.object, message });
  expect(plan.unpublished).toEqual([]);
  expect(blindLines(plan)).toEqual([
    `2 objects are left to others, such as service/default/one: ${message} (--dns-class)`,
  ]);
});

test("without any in the zones that are asked for there is no such line", async () => {
  const plan = await planned(stale);
  expect([plan.otherClasses, plan.unpublished?.length]).toEqual([undefined, 1]);
});
