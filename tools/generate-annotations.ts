/** Writes docs/reference/annotations.md from the table of annotations. */
import { writeFileSync } from "node:fs";
import { ANNOTATION_KEYS, type AnnotationEffect } from "../src/model/annotation-keys.ts";

const EFFECTS: Readonly<Record<AnnotationEffect, string>> = {
  works: "works",
  holds: "**holds** the object",
  warns: "Warning",
  quiet: "none",
};

const lines = ANNOTATION_KEYS.map(({ key, effect, doc, harmless = [], onCopy }) => {
  const except = harmless.length === 0 ? "" : `, save with the value ${harmless.join(", ")}`;
  const copied = onCopy === true ? "; of one that is copied: on its copy" : "";
  return `| \`${key}\` | ${EFFECTS[effect]}${except} | ${doc}${copied} |`;
});

writeFileSync(
  "docs/reference/annotations.md",
  `<!-- Generated from src/model/annotation-keys.ts by tools/generate-annotations.ts. Do not edit. -->

# Annotations

What becomes of each annotation of ours, of Gardener's and of external-dns on Services, Ingresses, DNSEntries and DNSEndpoints.

- One that **holds** would change the object's records and has no meaning here yet: its names stay as they are, new ones are not
  published, and the entry's state or a Warning Event names the annotation and what to do.
- A key under \`zonekeeper.dev/\` or \`dns.gardener.cloud/\` that is not in the table is a Warning with the nearest key, and so is a
  slip of one or two letters in the prefix (\`dns.gardner.cloud/dnsnames\`, \`external-dns.alpha.kubernets.io/hostname\`). Where names may be
  meant for Zonekeeper, nothing of the object goes until it is corrected.
- The annotations that hand records over (\`claim\`, \`permit-claim-by-…\`, \`adopt\`, \`release\`) are read under
  \`external-dns.kubernetes.io/\` and \`external-dns.alpha.kubernetes.io/\`, too. Its other annotations
  have no effect under either prefix, save that the names of \`hostname\` and \`internal-hostname\` are reported
  ([coming from external-dns](../guides/ownership.md#coming-from-external-dns)); on an object that has annotations of the other two prefixes and no
  \`dns.gardener.cloud/dnsnames\` they are a Warning, too.
- \`spec.rateLimit\` and \`spec.quotas\` of a DNSProvider count for its DNSEntries; \`not-rate-limited\` and deletions never wait.
- On a DNSEntry that \`dnsentry-source\` copies \`live-check\` asks for its copy, and the answer comes back. What an entry asks of the DNSProvider that
  publishes it (\`not-rate-limited\`, \`operation\`) is written on the copy by who may write there; on the original it is a Warning.

| annotation | effect | |
|---|---|---|
${lines.join("\n")}
`,
);
