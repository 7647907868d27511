/**
 * What a real kube-apiserver answered, as tools/record-api.ts wrote it down: the judge wherever no
 * kube-apiserver is built. One line a step, so that what another version says is seen in a diff.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Held } from "./hold.ts";
import type { Described } from "./openapi.ts";
import type { Answer, Step } from "./step.ts";
import { TOPICS } from "./topics/index.ts";

/** Where the answers lie. */
export const RECORD_FILE: string = resolve("test/real/api-conversation/record/conversation.json");

/** Where the description of the kinds lies. */
export const OPENAPI_FILE: string = resolve("test/real/api-conversation/record/openapi.json");

/** Where the description of the kinds lies that deploy/chart has and our own API does not. */
export const CHART_KINDS_FILE: string = resolve(
  "test/real/api-conversation/record/chart-kinds.json",
);

/** These kinds. */
export const CHART_KINDS: readonly string[] = [
  "apps/v1/Deployment",
  "core/v1/ServiceAccount",
  "networking.k8s.io/v1/NetworkPolicy",
  "policy/v1/PodDisruptionBudget",
  "rbac.authorization.k8s.io/v1/ClusterRole",
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding",
  "rbac.authorization.k8s.io/v1/Role",
  "rbac.authorization.k8s.io/v1/RoleBinding",
];

/** The documents that describe them. */
export const CHART_DOCUMENTS: readonly string[] = [
  "api/v1",
  "apis/apps/v1",
  "apis/networking.k8s.io/v1",
  "apis/policy/v1",
  "apis/rbac.authorization.k8s.io/v1",
];

const DIGEST_CHARACTERS = 10;

/** One recorded conversation. */
export interface ApiRecord {
  /** `1.37.2`. */
  readonly version: string;
  /** `2026-11-28`. */
  readonly date: string;
  /** Normalised answers by the names of their steps. */
  readonly answers: Held;
  /** What was asked, by the same names: `askedOf` of each step. */
  readonly asked: ReadonlyMap<string, string>;
}

/** All steps of today with what they ask: a few characters that change with the request. */
export function askedToday(): ReadonlyMap<string, string> {
  return new Map(TOPICS.flatMap(({ steps }) => steps).map((step) => [step.name, askedOf(step)]));
}

function askedOf(step: Step): string {
  return createHash("sha256")
    .update(JSON.stringify(step))
    .digest("hex")
    .slice(0, DIGEST_CHARACTERS);
}

/** The text of the file; the same conversation gives the same text. */
export function recordText({ version, date, answers, asked }: ApiRecord): string {
  const steps = [...answers].map(
    ([step, answer]) =>
      `${JSON.stringify(step)}:${JSON.stringify({ asked: asked.get(step), ...answer })}`,
  );
  const head = JSON.stringify({ version, date }).slice(0, -1);
  return `${head},"steps":{\n${steps.join(",\n")}\n}}\n`;
}

/** Reads the file. Throws when it is missing. */
export function readRecord(): ApiRecord {
  const { version, date, steps } = JSON.parse(readFileSync(RECORD_FILE, "utf8")) as Written;
  const entries = Object.entries(steps);
  return {
    version,
    date,
    answers: new Map(entries.map(([step, { asked: _, ...answer }]) => [step, answer])),
    asked: new Map(entries.map(([step, { asked }]) => [step, asked])),
  };
}

interface Written {
  readonly version: string;
  readonly date: string;
  readonly steps: Readonly<Record<string, Answer & { readonly asked: string }>>;
}

/** What OpenAPI said of the kinds that both serve. */
export interface OpenApiRecord {
  readonly version: string;
  readonly date: string;
  readonly kinds: Described;
}

/** The text of the other file. */
export function openApiText(record: OpenApiRecord): string {
  return `${JSON.stringify(record, null, 1)}\n`;
}

/** Reads it. Throws when it is missing. */
export function readOpenApi(): OpenApiRecord {
  return JSON.parse(readFileSync(OPENAPI_FILE, "utf8")) as OpenApiRecord;
}

/** Reads that of the chart's kinds. Throws when it is missing. */
export function readChartKinds(): OpenApiRecord {
  return JSON.parse(readFileSync(CHART_KINDS_FILE, "utf8")) as OpenApiRecord;
}
