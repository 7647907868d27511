/** A name and type has one kind of routing policy (API reference of Route 53, SetIdentifier). */
import { expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../test/support/values/plan-rules.ts";
import { planLines } from "../../test/support/values/plan-summary.ts";
import { nameOf, parseDesired, parseOwned } from "../../test/support/values/zone-text.ts";
import { planName } from "./plan.ts";
import type { PlanRules } from "./rules.ts";

interface Case {
  readonly zone: string;
  readonly desired: string;
  readonly rules?: Partial<PlanRules>;
  /** Lines of plan-summary.ts. */
  readonly plan: string;
}

function check(title: string, { zone, desired, rules, plan }: Case): void {
  test(title, () => {
    const planned = planName(
      nameOf("www"),
      parseDesired(desired),
      parseOwned(zone),
      rulesWith(rules),
    );
    const lines = plan.split("\n").map((line) => line.trim());
    const shown = planLines([planned]).map((line) => line.replaceAll(".example.org", ""));
    expect(shown).toEqual(lines.filter((line) => line !== ""));
  });
}

const MEMBERS = `
  www 300 A 192.0.2.1 ; id=blue policy=weighted owner=me resource=service/default/blue
  www 300 A 192.0.2.2 ; id=green policy=weighted owner=me resource=service/default/green`;
check("members change their kind together, and a new one comes with them", {
  zone: MEMBERS,
  desired: `
    www 300 A 192.0.2.1 ; id=blue policy=latency from=service/default/blue
    www 300 A 192.0.2.2 ; id=green policy=latency from=service/default/green
    www 300 A 192.0.2.3 ; id=red policy=latency from=service/default/red`,
  plan: `
    + www 300 A 192.0.2.3 ; id=red
    ~ www 300 A 192.0.2.1 ; id=blue -> 192.0.2.1
    ~ www 300 A 192.0.2.2 ; id=green -> 192.0.2.2`,
});
check("one member alone does not change its kind, and each object hears why", {
  zone: MEMBERS,
  desired: `
    www 300 A 192.0.2.1 ; id=blue policy=latency from=service/default/blue
    www 300 A 192.0.2.2 ; id=green policy=weighted from=service/default/green`,
  plan: `
    ! www A blue held: RoutingPolicyConflict the member green (service/default/green) has the routing policy weighted, and a name has one kind; change all its members
    ! www A green held: RoutingPolicyConflict service/default/blue gives the name the routing policy latency, and a name has one kind; use it here, too, or change all its members`,
});
check("Z-5 a member that an edit makes a plain record stays", {
  zone: MEMBERS,
  desired: `
    www 300 A 192.0.2.1 ; from=service/default/blue
    www 300 A 192.0.2.2 ; id=green policy=weighted from=service/default/green`,
  plan: "! www A held: RoutingPolicyConflict service/default/green gives the name the routing policy weighted, and a name has one kind; use it here, too, or change all its members",
});
check("a member goes whose object has another one instead, whatever else it lists", {
  zone: MEMBERS,
  desired: `
    www 300 A 192.0.2.1 ; from=service/default/blue
    www 300 A 192.0.2.1 ; id=azure policy=weighted from=service/default/blue
    www 300 A 192.0.2.2 ; id=green policy=weighted from=service/default/green`,
  plan: `
    - www 300 A 192.0.2.1 ; id=blue
    + www 300 A 192.0.2.1 ; id=azure
    ! www A held: RoutingPolicyConflict service/default/green gives the name the routing policy weighted, and a name has one kind; use it here, too, or change all its members`,
});
check("a new member of another kind waits", {
  zone: MEMBERS,
  desired: `
    www 300 A 192.0.2.1 ; id=blue policy=weighted from=service/default/blue
    www 300 A 192.0.2.2 ; id=green policy=weighted from=service/default/green
    www 300 A 192.0.2.3 ; id=red policy=latency from=service/default/red`,
  plan: "! www A red held: RoutingPolicyConflict service/default/blue gives the name the routing policy weighted, and a name has one kind; use it here, too, or change all its members",
});
check("a member of somebody else bars another kind", {
  zone: `
    www 300 A 192.0.2.1 ; id=blue policy=weighted owner=me resource=service/default/blue
    www 300 A 192.0.2.9 ; id=x policy=weighted owner=you`,
  desired: "www 300 A 192.0.2.1 ; id=blue policy=latency from=service/default/blue",
  plan: '! www A blue held: ForeignRecord A 192.0.2.9 exists at the name and is owned by "you"',
});
check("a member that nobody asks for any more goes when another one changes its kind", {
  zone: MEMBERS,
  desired: "www 300 A 192.0.2.1 ; id=blue policy=latency from=service/default/blue",
  plan: `
    - www 300 A 192.0.2.2 ; id=green
    ~ www 300 A 192.0.2.1 ; id=blue -> 192.0.2.1`,
});
check("one whose object may still want it holds the others", {
  zone: MEMBERS,
  rules: UNPROVEN,
  desired: "www 300 A 192.0.2.1 ; id=blue policy=latency from=service/default/blue",
  plan: `
    ! www A blue held: RoutingPolicyConflict the member green (service/default/green) has the routing policy weighted, and a name has one kind; change all its members
    ! www A green held: NotSynced services are not listed yet`,
});
check("another type at the name is no member", {
  zone: `
    www 300 A 192.0.2.1 ; id=blue policy=weighted owner=me resource=service/default/blue
    www 300 AAAA 2001:db8::9 ; owner=you`,
  desired: "www 300 A 192.0.2.1 ; id=blue policy=latency from=service/default/blue",
  plan: "~ www 300 A 192.0.2.1 ; id=blue -> 192.0.2.1",
});
