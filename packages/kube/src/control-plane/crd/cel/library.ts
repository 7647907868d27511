/**
 * The CEL library with the functions of Kubernetes and its named formats:
 * `format.dns1123Label().validate(text)` answers what is wrong with a text, and none where nothing
 * is (k8s.io/apiserver pkg/cel/library/format.go). Knows nothing of schemas.
 */
import { Environment, Optional } from "@marcbachmann/cel-js";
import {
  isLabelValue,
  isQualifiedName,
  LABEL_VALUE_DETAIL,
  nameFaults,
  QUALIFIED_NAME_DETAIL,
} from "../../../objects/name-rules.ts";
import { hasFormat } from "../../schema/schema-formats.ts";
import { isUrl, withFunctions } from "./functions.ts";

/** What is wrong with a text; empty = nothing. */
type Faults = (text: string) => readonly string[];

/** One format. */
class CelFormat {
  readonly faults: Faults;

  constructor(faults: Faults) {
    this.faults = faults;
  }
}

/** What `format` is in an expression. */
class CelFormats {}

/** A port by name (apimachinery pkg/util/validation IsValidPortName). */
const PORT_NAME = /^(?=.*[a-z])(?!.*--)[a-z0-9](?:[-a-z0-9]{0,13}[a-z0-9])?$/;
const PORT_NAME_DETAIL =
  "must be at most 15 lower case alphanumeric characters or '-', with a letter, without '--', and must start and end with an alphanumeric character";

const FORMATS: ReadonlyMap<string, Faults> = new Map([
  ["dns1123Label", (text) => nameFaults(text, "label")],
  ["dns1123Subdomain", (text) => nameFaults(text, "subdomain")],
  ["dns1035Label", (text) => nameFaults(text, "label-1035")],
  ["dns1123LabelPrefix", (text) => nameFaults(completed(text), "label")],
  ["dns1123SubdomainPrefix", (text) => nameFaults(completed(text), "subdomain")],
  ["dns1035LabelPrefix", (text) => nameFaults(completed(text), "label-1035")],
  ["qualifiedName", unless(isQualifiedName, QUALIFIED_NAME_DETAIL)],
  ["labelValue", unless(isLabelValue, LABEL_VALUE_DETAIL)],
  ["portName", unless((text) => PORT_NAME.test(text), PORT_NAME_DETAIL)],
  ["uri", unless(isUrl, "invalid URI for request")],
  ["uuid", unless((text) => hasFormat("uuid", text), "does not match the UUID format")],
  ["byte", unless((text) => hasFormat("byte", text), "invalid base64")],
  ["date", unless((text) => hasFormat("date", text), "invalid date")],
  ["datetime", unless((text) => hasFormat("date-time", text), "invalid datetime")],
] satisfies [string, Faults][]);

/** Adds the formats to an environment. */
function withFormats(environment: Environment): Environment {
  environment.registerType("kubernetes.NamedFormat", { ctor: CelFormat, fields: {} });
  environment.registerType("kubernetes.NamedFormats", { ctor: CelFormats, fields: {} });
  environment.registerConstant("format", "kubernetes.NamedFormats", new CelFormats());
  for (const [name, faults] of FORMATS) {
    const format = new CelFormat(faults);
    environment.registerFunction(
      `kubernetes.NamedFormats.${name}(): kubernetes.NamedFormat`,
      () => format,
    );
  }
  environment.registerOperator("optional<dyn> == null", () => false);
  return environment.registerFunction(
    "kubernetes.NamedFormat.validate(string): optional<list<string>>",
    (format: CelFormat, text: string) => {
      const faults = format.faults(text);
      return faults.length === 0 ? Optional.none() : Optional.of([...faults]);
    },
  );
}

function unless(isValid: (text: string) => boolean, detail: string): Faults {
  return (text) => (isValid(text) ? [] : [detail]);
}

/** The beginning of a name is checked as if more followed. */
function completed(prefix: string): string {
  return prefix.replace(/-$/, "a");
}

/** Limits of one expression: parsing is bounded by them. */
const LIMITS = {
  maxAstNodes: 5_000,
  maxDepth: 100,
  maxListElements: 500,
  maxMapEntries: 500,
  maxCallArguments: 16,
};

/** The environment without variables. Clone it to declare some. */
export const CEL = withFormats(
  withFunctions(
    new Environment({
      enableOptionalTypes: true,
      homogeneousAggregateLiterals: false,
      limits: LIMITS,
    }),
  ),
);
