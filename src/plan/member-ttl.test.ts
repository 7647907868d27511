/** Members of a routing policy that are one record set at the back end have one TTL. */
import { expect, test } from "vitest";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import { planLines } from "../../test/support/values/plan-summary.ts";
import { nameOf, parseDesired, parseOwned } from "../../test/support/values/zone-text.ts";
import { planName } from "./plan.ts";

interface Case {
  readonly zone?: string;
  readonly desired: string;
  readonly isShared?: boolean;
  /** Lines of plan-summary.ts. */
  readonly plan: string;
}

function check(title: string, { zone = "", desired, isShared = true, plan }: Case): void {
  test(title, () => {
    const rules = rulesWith(isShared ? { membersShareTtl: true } : {});
    const planned = planName(nameOf("www"), parseDesired(desired), parseOwned(zone), rules);
    const lines = plan.split("\n").map((line) => line.trim());
    const shown = planLines([planned]).map((line) => line.replaceAll(".example.org", ""));
    expect(shown).toEqual(lines.filter((line) => line !== ""));
  });
}

const ZERO = "www 300 A 192.0.2.1 ; id=0 policy=weighted owner=me resource=service/default/zero";
const ONE = "www 300 A 192.0.2.2 ; id=1 policy=weighted owner=me resource=service/default/one";
const wants = (ttl: string, id: string, from: string): string =>
  `www ${ttl} A 192.0.2.${Number(id) + 1} ; id=${id} policy=weighted from=service/default/${from}`;

check("the second object that says another TTL waits, and hears which", {
  desired: `
    ${wants("300", "0", "one")}
    ${wants("60", "1", "two")}`,
  plan: `
    + www 300 A 192.0.2.1 ; id=0
    ! www A 1 held: RoutingPolicyConflict the member 0 has the TTL 300, and members of a routing policy have one TTL; write 300 for 60, or change all members`,
});
check("back ends with a TTL for each member have no such rule", {
  isShared: false,
  desired: `
    ${wants("300", "0", "one")}
    ${wants("60", "1", "two")}`,
  plan: `
    + www 300 A 192.0.2.1 ; id=0
    + www 60 A 192.0.2.2 ; id=1`,
});
check("both change their TTL together", {
  zone: `${ZERO}\n${ONE}`,
  desired: `
    ${wants("60", "0", "zero")}
    ${wants("60", "1", "one")}`,
  plan: `
    ~ www 300 A 192.0.2.1 ; id=0 -> 60
    ~ www 300 A 192.0.2.2 ; id=1 -> 60`,
});
check("a member that says no TTL goes along", {
  zone: `${ZERO}\n${ONE}`,
  desired: `
    ${wants("60", "0", "zero")}
    ${wants("-", "1", "one")}`,
  plan: `
    ~ www 300 A 192.0.2.1 ; id=0 -> 60
    ~ www 300 A 192.0.2.2 ; id=1 -> 60`,
});
check("a new member that says no TTL has that of the others", {
  zone: ZERO.replace("300", "60"),
  desired: `
    ${wants("-", "0", "zero")}
    ${wants("-", "1", "one")}`,
  plan: "+ www 60 A 192.0.2.2 ; id=1",
});
check("the TTL of a member of another owner is not changed", {
  zone: `
    ${ZERO.replace("300", "60")}
    www 60 A 192.0.2.9 ; id=4 policy=weighted owner=you`,
  desired: wants("300", "0", "zero"),
  plan: "! www A 0 held: RoutingPolicyConflict the member of another owner has the TTL 60, and members of a routing policy have one TTL; write 60 for 300, or change all members",
});
