/**
 * nsupdate as the stranger in the zone: people, Terraform or another controller writing beside us.
 */
import { type RunResult, run } from "../programs/run.ts";

/** Where to write and as whom. */
export interface UpdateTarget {
  readonly host?: string;
  readonly port: number;
  /** Without trailing dot. */
  readonly zone: string;
  readonly key: {
    readonly name: string;
    readonly algorithm: string;
    readonly secretBase64: string;
  };
}

/**
 * Sends one UPDATE with the given lines of nsupdate's language (`prereq …`, `update …`). The code
 * is 0 on NOERROR.
 */
export function nsupdate(target: UpdateTarget, lines: readonly string[]): Promise<RunResult> {
  const { key } = target;
  const input = [
    `server ${target.host ?? "127.0.0.1"} ${target.port}`,
    `zone ${target.zone}`,
    ...lines,
    "send",
    "",
  ].join("\n");
  const secret = `${key.algorithm}:${key.name}:${key.secretBase64}`;
  return run("nsupdate", ["-v", "-t", "60", "-y", secret], { input });
}
