/** What RFC 2136 servers cannot take about a record set, found before planning. Pure. */
import type { Problem } from "../../model/problem.ts";
import { parseRdata } from "../../model/rdata/index.ts";
import { type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import { SET_TEXT_BYTES_MAX, TTL_SECONDS_MAX, WRITABLE_TYPES } from "./limits.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet): readonly Problem[] {
  return [...shapeProblems(set), ...valueProblems(set)];
}

function problem(set: RecordSet, code: string, message: string): Problem {
  return { code, subject: recordSetKeyText(set), message };
}

function shapeProblems(set: RecordSet): readonly Problem[] {
  const problems: Problem[] = [];
  if (!WRITABLE_TYPES.has(set.type))
    problems.push(
      problem(
        set,
        "UnsupportedType",
        `records of type ${set.type} are not written; possible are ${[...WRITABLE_TYPES].join(", ")}`,
      ),
    );
  if (set.setIdentifier !== null || set.routingPolicy !== null)
    problems.push(
      problem(set, "UnsupportedRoutingPolicy", "plain DNS has no routing policies; leave it out"),
    );
  const [property] = Object.keys(set.properties);
  if (property !== undefined)
    problems.push(
      problem(set, "UnsupportedProperty", `plain DNS has no property ${property}; leave it out`),
    );
  if (!(set.ttlSeconds >= 0 && set.ttlSeconds <= TTL_SECONDS_MAX))
    problems.push(
      problem(set, "InvalidTtl", `the TTL must be from 0 to ${TTL_SECONDS_MAX} seconds`),
    );
  return problems;
}

function valueProblems(set: RecordSet): readonly Problem[] {
  const problems: Problem[] = [];
  // RFC 1034 §3.6.2, RFC 2181 §10.1, RFC 6672 §2.4.
  if ((set.type === "CNAME" || set.type === "DNAME") && set.values.length !== 1)
    problems.push(problem(set, "InvalidValue", `a ${set.type} has exactly one target`));
  for (const value of set.values) {
    const parsed = parseRdata(set.type, value);
    if (!parsed.ok) problems.push(problem(set, "InvalidValue", parsed.error));
  }
  const bytes = set.values.reduce((sum, value) => sum + value.length + 12, 0);
  if (bytes > SET_TEXT_BYTES_MAX)
    problems.push(
      problem(set, "TooManyValues", `the values do not fit into one UPDATE; use fewer`),
    );
  return problems;
}
