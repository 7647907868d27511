/**
 * Suites that both API servers and both kubectls judge: ours with the newer kubectl, the real one,
 * in the campaign only, with the older one.
 */
import type { KubectlVersion } from "../clients/kubectl.ts";
import { RunSession } from "../programs/run-session.ts";
import { describeReal, type RealProgram } from "../real-servers/availability.ts";
import type { ApiServer } from "./api-server.ts";
import { API_SERVERS, type ApiServerEntry } from "./index.ts";

/** A server and who speaks to it. */
export interface ServerUnderTest {
  readonly name: ApiServerEntry["name"];
  readonly kubectl: KubectlVersion;
  start(): Promise<ApiServer>;
  /** A cluster of its own with a person at it. */
  open(): Promise<RunSession>;
}

const KUBECTLS: Readonly<Record<ApiServerEntry["name"], KubectlVersion>> = {
  embedded: "1.32",
  "kube-apiserver": "1.20",
};

/** `describeReal` once for each API server; `needs` are other programs than these. */
export function describeOnBoth(
  title: string,
  needs: readonly RealProgram[],
  body: (server: ServerUnderTest) => void,
): void {
  for (const { name, needs: own, start } of API_SERVERS) {
    const version = KUBECTLS[name];
    describeReal(
      `${title}: ${name}, kubectl ${version}`,
      [...needs, ...own, `kubectl-${version}`],
      () => body({ name, kubectl: version, start, open: () => RunSession.open(start, version) }),
    );
  }
}
