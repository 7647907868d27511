import { execSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createService } from "./support/bulk-objects.ts";
import { BulkRig, pause, rested } from "./support/bulk-rig.ts";
import { PROGRAM } from "./support/program.ts";
import { namesOf } from "./support/publisher-figures.ts";
const N = Number(process.env["BENCH_OBJECTS"] ?? 500);
const names = namesOf(N);
const rig = await BulkRig.filled(names.map((n, i) => createService(`s${i}`, n, "192.0.2.1")));
for (const script of [process.env["BENCH_BEFORE"], PROGRAM]) {
  if (!script) continue;
  const program = rig.run(["--publish", "direct"], script)();
  await rig.answered(names, "192.0.2.1");
  await rested(program);
  const pid = (program as any).pid ?? Number(execSync(`pgrep -f "owner benc[h]"`).toString().trim().split("\n").pop());
  const st = () => { const s = readFileSync(`/proc/${pid}/status`, "utf8"); return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(s)?.[1]); };
  const sched = () => { const [a] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" "); return Number(a) / 1e6; };
  const all = () => execSync(`cat /proc/${pid}/task/*/schedstat`).toString().trim().split("\n").reduce((s, l) => s + Number(l.split(" ")[0]) / 1e6, 0);
  const secs = Number(process.env["SECS"] ?? 40);
  const t = [program.cpuMs(), st(), sched(), all(), (await rig.cost(program)).requests];
  await pause(secs * 1000);
  const u = [program.cpuMs(), st(), sched(), all(), (await rig.cost(program)).requests];
  const d = u.map((x, i) => Math.round((x - (t[i] ?? 0)) * 60 / secs));
  console.log(script, { ticks: d[0], switches: d[1], mainMs: d[2], allMs: d[3], requests: d[4] });
  if (process.env["PRE_OUT"]) { process.kill(pid, "SIGUSR2"); await pause(secs * 1000); process.kill(pid, "SIGUSR2"); await pause(2000); }
  await program.stop();
}
await rig.stop();
process.exit(0);
