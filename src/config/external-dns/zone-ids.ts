/**
 * `--zone-id-filter`: external-dns compares the ends of ids, and each provider has others.
 * Pure.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import { invalidOption } from "../option.ts";
import type { ProviderByFlags } from "./provider-input.ts";

/** The id as it is here; the error completes the sentence "… is no zone". */
type ToId = (given: string, account: ProviderByFlags) => Result<string>;

/** By type; the others have no ids, and external-dns takes no notice of the flag. */
const IDS: Readonly<Record<string, ToId>> = {
  "aws-route53": (given) => ok(given.replace(/^.*\//, "")),
  "cloudflare-dns": (given) => ok(given),
  "alicloud-dns": (given) => ok(given),
  "google-clouddns": googleId,
  "azure-dns": azureId,
  "azure-private-dns": azureId,
};

/** Ids for `spec.zones.include`; empty = all zones. Fails with all that have no equivalent. */
export function zoneIds(
  account: ProviderByFlags,
  given: readonly string[],
): Result<readonly string[], readonly Problem[]> {
  const toId = IDS[account.type];
  if (toId === undefined) return ok([]);
  const ids: string[] = [];
  const problems: Problem[] = [];
  for (const one of given) {
    const id = toId(one, account);
    if (id.ok) ids.push(id.value);
    else problems.push(invalidOption("zone-id-filter", `${JSON.stringify(one)} ${id.error}`));
  }
  return problems.length > 0 ? fail(problems) : ok(ids);
}

/** `PROJECT/NAME`; external-dns takes the number of a zone, too. */
function googleId(given: string, { secret }: ProviderByFlags): Result<string> {
  if (/^\d+$/.test(given)) return fail("is the number of a zone; write its name");
  const key = fieldsOf(jsonIn(secret["serviceaccount.json"] ?? ""));
  const project = secret["GOOGLE_PROJECT"] ?? textOf(key["project_id"]) ?? "";
  if (given.includes("/")) return ok(given);
  return project === "" ? fail("needs --google-project beside it") : ok(`${project}/${given}`);
}

/** `GROUP/NAME` of `/subscriptions/…/resourceGroups/GROUP/providers/…/NAME`. */
function azureId(given: string, { config }: ProviderByFlags): Result<string> {
  const [, group, name] = /\/resourceGroups\/([^/]+)\/.*\/([^/]+)$/i.exec(given) ?? [];
  if (group !== undefined) return ok(`${group}/${name}`);
  const only = textOf(config["resourceGroup"]);
  const end = given.replace(/^.*\//, "");
  if (only === null) return fail("is a part of an id; write it whole, /subscriptions/…");
  return ok(`${only}/${end}`);
}
