/**
 * YAML request bodies, read as Kubernetes reads them: `yes` and `on` are booleans, `0644` is octal,
 * the last of two equal keys counts. sigs.k8s.io/yaml
 * goyaml.v2/resolve.go.
 */
import { type Document, Lexer, parseDocument, type ScalarTag, type Tags } from "yaml";
import { keyFaults, nestsTooDeep } from "../../yaml/yaml-nodes.ts";

/** Aliases that may be resolved; more is an attack. */
const ALIASES_MAX = 100;

const BOOLEAN = "tag:yaml.org,2002:bool";
const boolean = (test: RegExp, value: boolean): ScalarTag => ({
  tag: BOOLEAN,
  default: true,
  test,
  resolve: () => value,
});
const octal: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^[-+]?0[0-7]+$/,
  resolve: (text) => Number.parseInt(text, 8),
};
const OWN_TAGS: Tags = [
  octal,
  boolean(/^(?:y|Y|yes|Yes|YES|on|On|ON)$/, true),
  boolean(/^(?:n|N|no|No|NO|off|Off|OFF)$/, false),
];

/** The value. Throws for what is no YAML. */
export function parseYamlBody(text: string): unknown {
  if (nestsTooDeep(new Lexer().lex(text))) throw new Error("the text nests too deep");
  const document = documentOf(text);
  const [error] = document.errors;
  if (error !== undefined) throw error;
  // sigs.k8s.io/yaml yaml.go convertToJSONableObject refuses them too.
  if (keyFaults(document.contents).complex.length > 0)
    throw new Error("a key of a map is no plain value");
  const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
  return value;
}

function documentOf(text: string): Document.Parsed {
  return parseDocument(text, {
    uniqueKeys: false,
    // Nobody reads them, and thousands of them take seconds.
    prettyErrors: false,
    // Warnings would go to the terminal with lines of the body, which may be those of a Secret.
    logLevel: "error",
    merge: true,
    customTags: (tags) => [...OWN_TAGS, ...tags],
  });
}
