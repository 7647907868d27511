/** Templates of Go over objects: what external-dns's documents and tests show, and mistakes. */
import { describe, expect, test } from "vitest";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { evaluateTemplate } from "./evaluate.ts";
import { parseTemplate } from "./parse.ts";

const SERVICE = objectOf("v1", "Service", "the-web", {
  metadata: {
    namespace: "prod",
    labels: { environment: "Live", app: "my-service-1", records: '[{"dns":"a.example.org"}]' },
    annotations: { "dns.example/zone": "example.org" },
  },
  spec: {
    type: "NodePort",
    selector: { app: "web" },
    ports: [
      { name: "http", port: 80 },
      { name: "debug", port: 81 },
    ],
  },
  status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }, { hostname: "lb.nip.io" }] } },
});

function made(template: string, source = "service"): string {
  const parsed = parseTemplate(template);
  if (!parsed.ok) return `refused: ${parsed.error}`;
  const text = evaluateTemplate(parsed.value, SERVICE, { source });
  return text.ok ? text.value : `fails: ${text.error}`;
}

describe("what is computed", () => {
  test.each([
    ["{{.Name}}.{{ .Namespace }}.example.org", "the-web.prod.example.org"],
    ['{{ trimPrefix .Name "the-" }}', "web"],
    ['{{ trimSuffix .Name "-web" }}{{ trimSuffix .Name "" }}', "thethe-web"],
    ['{{ replace "-" "." .Name }}', "the.web"],
    ['{{ replace "" "-" "ab" }}', "-a-b-"],
    ['{{ .Name | replace "-" "." | printf "%s!" }}', "the.web!"],
    ["{{ toLower .Labels.environment }}", "live"],
    ["{{ .Labels.nothing }}x", "x"],
    ['{{ index .ObjectMeta.Annotations "dns.example/zone" }}', "example.org"],
    ['{{ index .Metadata.labels "app" }}|{{ .Object.spec.type }}', "my-service-1|NodePort"],
    ['{{ if eq .Kind "Service" }}s{{ else }}o{{ end }}{{ .APIVersion }}', "sv1"],
    ['{{ if eq .Name "x" }}a{{ else if eq .Name "y" "the-web" }}b{{ else }}c{{ end }}', "b"],
    ["{{ with .Spec.ExternalName }}{{ . }}{{ else }}none{{ end }}", "none"],
    ["{{ with .Spec.Type }}{{ . }}{{ $.Name }}{{ end }}", "NodePortthe-web"],
    [
      "{{ $n := .Name }}{{ range .Spec.Ports -}}{{ $n }}.{{ .Name }}, {{ end }}",
      "the-web.http, the-web.debug, ",
    ],
    ["{{ range $i, $p := .Spec.Ports }}{{ $i }}{{ $p.Name }}{{ end }}", "0http1debug"],
    ["{{ range $k, $v := .Spec.Selector }}{{ $k }}={{ $v }}{{ end }}", "app=web"],
    ["{{ range .Spec.ExternalIPs }}x{{ else }}none{{ end }}", "none"],
    ["{{ range 3 }}{{ . }}{{ end }}", "012"],
    [
      "{{ range .Status.LoadBalancer.Ingress }}{{ if contains .Hostname `nip` }}y{{ break }}{{ end }}n{{ end }}",
      "ny",
    ],
    [
      "{{ range .Spec.Ports }}{{ if eq .Port 80 }}{{ continue }}{{ end }}{{ .Port }}{{ end }}",
      "81",
    ],
    [
      "{{ range $e := (index .Labels `records` | fromJson) }}{{ index $e `dns` }},{{ end }}",
      "a.example.org,",
    ],
    ['{{ $x := "a" }}{{ if true }}{{ $x = "b" }}{{ end }}{{ $x }}', "b"],
    ['{{ and .Name "" "z" }}|{{ or "" .Name }}|{{ and 1 2 }}|{{ not "" }}', "|the-web|2|true"],
    ['{{ and (contains .Name "web") (hasKey .Labels "app") }}', "true"],
    ["{{/* no */}}a {{- /* no */ -}} b", "ab"],
    ["a {{- .Name -}} b", "athe-webb"],
    ['{{ if isIPv4 "192.0.2.1" }}4{{ end }}{{ if isIPv6 "::FFFF:192.0.2.1" }}6{{ end }}', "46"],
    ['{{ isIPv4 "x" }}{{ isSource "Service" }}{{ isSource "node" }}', "falsetruefalse"],
    ['{{ printf "%03d|%-4s|%4s|%q|%v|%t|%%" 7 "a" "b" "c" 1 true }}', '007|a   |   b|"c"|1|true|%'],
    ['{{ printf "%04d" -7 }}{{ print "a" 1 }}{{ println "b" "c" }}', "-007a1b c\n"],
    [
      "{{ len .Spec.Ports }}{{ len .Labels }}{{ len .Name }}{{ slice .Name 0 3 }}{{ slice .Name 4 }}",
      "237theweb",
    ],
    ["{{ (index .Spec.Ports 1).Name }}{{ index .Labels `x` }}", "debug"],
    ["{{ lt 1 2 }}{{ le 2 2 }}{{ gt 1 2 }}{{ ge `b` `a` }}{{ ne 1 2 }}", "truetruefalsetruetrue"],
    ['{{ .Spec.Selector }}{{ print (fromJson `[1,["a"],true]`) }}', "map[app:web][1 [a] true]"],
    [`{{ "\\t\\x41\\u00e9\\"" }}{{ 'a' }}{{ 0x10 }}{{ 1.5 }}`, '\tAé"97161.5'],
    ["{{ eq .Spec.IngressClassName nil }}{{ if .Spec }}s{{ end }}", "trues"],
    [
      "{{ .Spec.Unschedulable }}{{ .Spec.HealthCheckNodePort }}{{ .Spec.MatchLabels }}",
      "false0map[]",
    ],
    ["{{ .ObjectMeta.Name }}{{ .metadata.name }}", "the-webthe-web"],
    ['{{ "" | and 1 }}|{{ "x" | or "" }}|{{ "" | or 0 }}|{{ 2 | and 1 }}', "|x||2"],
    ['{{ printf "%-5d|%05s" 7 "a" }}{{ slice .Name }}', "7    |    athe-web"],
    ["{{ range -1 }}x{{ else }}none{{ end }}{{ range nil }}x{{ end }}", "none"],
    ["{{ slice (fromJson `[1,2,3]`) 1 2 }}", "[2]"],
    ["{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ end }}{{ $x }}", "1"],
  ])("%s", (template, text) => {
    expect(made(template)).toBe(text);
  });
});

describe("what is refused before anything starts", () => {
  test.each([
    ["{{.Name", 'has no "}}"'],
    ["{{ name }}", "there is no function name; there are and, or"],
    ["{{ html .Name }}", "there is no function html"],
    ["{{ if .Name }}x", 'a block has no "{{end}}"'],
    ["{{ end }}", "no block is open"],
    ["{{ }}", "a value is missing"],
    ["{{ .Name .Namespace }}", "only a function takes arguments"],
    ["{{ $x }}", "$x is not declared"],
    ["{{ $x = 1 }}", "$x is not declared"],
    ["{{ if true }}{{ $x := 1 }}{{ end }}{{ $x }}", "$x is not declared"],
    ["{{ break }}", "it stands in no range"],
    ['{{ define "x" }}{{ end }}', "templates inside of templates are not supported"],
    ['{{ ("a" }}', '")" is missing'],
    ['{{ "a".Name }}', "a constant has no fields"],
    ['{{ printf"a" }}', "a blank is missing"],
    ['{{ "\\y" }}', "cannot be read"],
    ["{{ # }}", "something else is in it"],
    ["{{ .Name ) }}", '"}}" is missing before it'],
    ["{{ .Name | }}", "a value is missing"],
    ["x".repeat(20_001), "longer than 20000"],
    [`{{ ${"(".repeat(60)}1${")".repeat(60)} }}`, "more than 50 are nested"],
  ])("%s", (template, message) => {
    expect(made(template)).toMatch(/^refused: /);
    expect(made(template)).toContain(message);
  });
});

describe("what fails for an object", () => {
  test.each([
    ["{{ .Nam }}", "there is no field .Nam"],
    ["{{ .Name.X }}", ".X is asked of a text"],
    ["{{ .Object.spec.typ }}", "there is no key typ"],
    ["{{ .Spec.IngressClassName.X }}", ".X is asked of what has no value"],
    ["{{ .Spec.IngressClassName }}", "what is printed has no value"],
    ["{{ .Spec }}", "what is printed has fields"],
    ["{{ index .Spec.Ports 5 }}", "there is no element 5"],
    ["{{ index .Spec.Ports `a` }}", "there is no element a"],
    ["{{ index .Name 1 }}", "index of a text"],
    ["{{ index .Labels 1 }}", "takes texts, and gets a number"],
    ["{{ index }}", "index takes a list or a map"],
    ["{{ range .Name }}x{{ end }}", "range over a text"],
    ["{{ range .Spec }}x{{ end }}", "range over a struct"],
    ["{{ eq .Name 1 }}", "a text and a number cannot be compared"],
    ["{{ eq .Name }}", "eq takes at least two values"],
    ["{{ lt .Name true }}", "lt of a text and a truth value"],
    ["{{ ne 1 }}", "ne takes two values, and gets 1"],
    ["{{ not 1 2 }}", "not takes one value, and gets 2"],
    ["{{ and }}", "at least one value"],
    ["{{ len 3 }}", "len of a number"],
    ["{{ slice .Name 5 2 }}", "slice takes a text or a list"],
    ["{{ slice 1 }}", "slice takes a text or a list"],
    ["{{ slice .Name `a` }}", "slice takes a text or a list"],
    ["{{ slice .Name 0 1 2 }}", "slice takes a text or a list"],
    ["{{ slice .Name -1 }}", "slice takes a text or a list"],
    ["{{ printf }}", "takes texts, and gets a nothing"],
    ["{{ lt `a` 1 }}", "lt of a text and a number"],
    ['{{ printf "%" }}', "printf has no % for a nothing"],
    ['{{ printf "%d" 1.5 }}', "printf has no %d for a number"],
    ['{{ printf "%t" 1 }}', "printf has no %t for a number"],
    ["{{ trim .Name .Name }}", "trim takes 1 texts, and gets 2"],
    ["{{ trim 1 }}", "trim takes texts, and gets a number"],
    ["{{ hasKey .Name `a` }}", "hasKey takes a map, and gets a text"],
    ["{{ .Name | .Namespace }}", "only a function takes a value by |"],
    ['{{ printf "%s" 1 }}', "takes texts"],
    ['{{ printf "%x" 1 }}', "printf has no %x for a number"],
    ['{{ printf "%d" "a" }}', "printf has no %d for a text"],
    ['{{ printf "%s" }}', "printf %s takes texts, and gets a nothing"],
    ['{{ printf "a" 1 }}', "printf has 0 places, and gets 1 values"],
    ['{{ printf "%9999d" 1 }}', "printf pads to 255 at most"],
    ["{{ fromJson `{` }}", "what is printed has no value"],
    [`{{ print (fromJson \`${"[".repeat(20)}${"]".repeat(20)}\`) }}`, "nested too deeply"],
    [`{{ print (fromJson \`${'{"a":'.repeat(12)}1${"}".repeat(12)}\`) }}`, "nested too deeply"],
    ["{{ range 200 }}{{ range 200 }}a{{ end }}{{ end }}", "more than 20000 steps"],
    [`{{ $x := "${"a".repeat(900)}" }}{{ replace "a" $x $x }}`, "too long a text"],
    [`{{ range 1000 }}${"a".repeat(99)}{{ end }}`, "more than 65536 characters"],
  ])("%s", (template, message) => {
    expect(made(template)).toMatch(/^fails: /);
    expect(made(template)).toContain(message);
  });
});
