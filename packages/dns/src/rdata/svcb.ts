/**
 * SVCB: where and how a service is reached. RFC 9460 §2.1 (text), §2.4.2 (alias mode: priority 0,
 * no parameters). The case of the target is kept: RFC 4034 §6.2 does not list SVCB among the types
 * whose names are folded.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseKeptName } from "./name-text.ts";
import { parseUnsigned } from "./number-text.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { formatSvcParams, parseSvcParams } from "./svc-params.ts";
import { splitTokens } from "./tokens.ts";

/** Reads SVCB or HTTPS rdata. */
function parseServiceBinding(text: string): Result<string> {
  const tokens = splitTokens(text);
  if (!tokens.ok) return tokens;
  const [priorityText = "", targetText, ...paramTexts] = tokens.value;
  if (targetText === undefined)
    return fail("write priority, target and parameters, such as 1 . alpn=h2,h3");
  const priority = parseUnsigned(priorityText, 65_535, "the priority");
  if (!priority.ok) return priority;
  const target = parseKeptName(targetText);
  if (!target.ok) return target;
  if (priority.value === 0 && paramTexts.length > 0)
    return fail(
      "priority 0 is an alias and takes no parameters; write priority 1, or only a target",
    );
  const params = parseSvcParams(paramTexts);
  if (!params.ok) return params;
  const canonical = formatSvcParams(params.value) ?? [];
  return ok([priority.value, target.value, ...canonical].join(" "));
}

/** Type 64. */
export const SVCB: RdataFormat = { type: "SVCB", parse: parseServiceBinding };
/** Type 65. */
export const HTTPS: RdataFormat = { type: "HTTPS", parse: parseServiceBinding };
