/** The API servers of the tests in one table, for suites that run against each of them. */
import { startControlPlane } from "../clients/control-plane-server.ts";
import type { RealProgram } from "../real-servers/availability.ts";
import type { ApiServer, ApiServerName } from "./api-server.ts";
import { startKubeApiServer } from "./kube-apiserver.ts";

/** One of them. */
export interface ApiServerEntry {
  readonly name: ApiServerName;
  readonly needs: readonly RealProgram[];
  start(): Promise<ApiServer>;
}

/** Ours and the real one. */
export const API_SERVERS: readonly ApiServerEntry[] = [
  { name: "embedded", needs: [], start: startControlPlane },
  { name: "kube-apiserver", needs: ["kube-apiserver"], start: startKubeApiServer },
];
