/** The manifest of a provider's page: its Secret and its DNSProvider. */
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { parseAllDocuments } from "yaml";
import { newPrivateKey } from "../fakes/google/harness.ts";

/** What the page shows. */
export interface ProviderExample {
  /** Of the DNSProvider; empty = it has none. */
  readonly type: string;
  readonly secret: Readonly<Record<string, string>>;
  /** Null = it has none. */
  readonly config: unknown;
}

/** Pages abbreviate a private key. */
const KEY_LEFT_OUT = /-----BEGIN PRIVATE KEY-----\\n…\\n-----END PRIVATE KEY-----\\n/;

/** The first manifest of the page. */
export function exampleOf(page: string): ProviderExample {
  const yaml = /^```yaml\n(?<yaml>apiVersion[\s\S]*?)^```/m.exec(page)?.groups?.["yaml"] ?? "";
  const whole = yaml.replace(KEY_LEFT_OUT, () => JSON.stringify(newPrivateKey()).slice(1, -1));
  const objects = parseAllDocuments(whole).map((one) => fieldsOf(one.toJS() as unknown));
  const of = (kind: string) => objects.find((object) => object["kind"] === kind) ?? {};
  const spec = fieldsOf(of("DNSProvider")["spec"]);
  return {
    type: textOf(spec["type"]) ?? "",
    secret: fieldsOf(of("Secret")["stringData"]) as Readonly<Record<string, string>>,
    config: spec["providerConfig"] ?? null,
  };
}
