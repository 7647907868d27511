/**
 * Holds the conversation of test/real/api-conversation with a real kube-apiserver and writes its
 * answers, and what its OpenAPI says of our kinds and of the chart's, into the repository, for the
 * tests that compare ours with them. `--check` writes nothing there and fails when they are others
 * than recorded. Needs script/build-kube-apiserver; about a minute.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { heldWith } from "../test/real/api-conversation/hold.ts";
import {
  describeKinds,
  documentPaths,
  sharedKinds,
} from "../test/real/api-conversation/openapi.ts";
import {
  askedToday,
  CHART_DOCUMENTS,
  CHART_KINDS,
  CHART_KINDS_FILE,
  OPENAPI_FILE,
  openApiText,
  RECORD_FILE,
  readChartKinds,
  readOpenApi,
  readRecord,
  recordText,
} from "../test/real/api-conversation/record.ts";
import type { ApiServer } from "../test/support/api-servers/api-server.ts";
import { judgeVersion } from "../test/support/api-servers/judge-version.ts";
import { startKubeApiServer } from "../test/support/api-servers/kube-apiserver.ts";
import { startControlPlane } from "../test/support/clients/control-plane-server.ts";

const IS_CHECK = process.argv.includes("--check");
const today = (): string => new Date().toISOString().slice(0, 10);

/** `use` with a server of its own. */
async function withServer<T>(
  start: () => Promise<ApiServer>,
  use: (server: ApiServer) => Promise<T>,
): Promise<T> {
  const server = await start();
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

function keep(file: string, text: string): void {
  if (!IS_CHECK) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${file}: ${text.length} bytes\n`);
  } else if (text !== readFileSync(file, "utf8")) {
    writeFileSync(`${file}.now`, text);
    process.stderr.write(`kube-apiserver answers otherwise: diff ${file} ${file}.now\n`);
    process.exitCode = 1;
  }
}

const embedded = await withServer(startControlPlane, async (server) => {
  const documents = await documentPaths(server);
  return { documents, kinds: await describeKinds(server, documents) };
});
const { answers, described, charted } = await withServer(startKubeApiServer, async (server) => ({
  described: await describeKinds(server, embedded.documents),
  charted: await describeKinds(server, CHART_DOCUMENTS),
  answers: await heldWith(server),
}));
const version = judgeVersion();
const [, served] = /"gitVersion":"v([^"]*)"/.exec(JSON.stringify(answers.get("version"))) ?? [];
if (served !== version) throw new Error(`${served} answered instead of ${version}`);

const answersOf = IS_CHECK ? readRecord().date : today();
keep(RECORD_FILE, recordText({ version, date: answersOf, answers, asked: askedToday() }));
const kindsOf = IS_CHECK ? readOpenApi().date : today();
keep(
  OPENAPI_FILE,
  openApiText({ version, date: kindsOf, kinds: sharedKinds(described, embedded.kinds) }),
);
keep(
  CHART_KINDS_FILE,
  openApiText({
    version,
    date: IS_CHECK ? readChartKinds().date : today(),
    kinds: Object.fromEntries(CHART_KINDS.map((kind) => [kind, charted[kind] ?? {}])),
  }),
);
