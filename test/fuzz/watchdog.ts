/**
 * Watches a fuzzer from another thread: an input that never comes back would stop the process from
 * saying which it was. Prints that input and ends the process.
 */
import { Worker } from "node:worker_threads";

const INPUT_BYTES_MAX = 65_536;
const CHECK_MS = 5_000;
/**
 * Checks in a row without a new input after which the process ends: two minutes, so that a busy
 * machine is no finding.
 */
const CHECKS_MAX = 24;

/** Runs in the worker; plain JavaScript, because it is started from text. */
const CODE = `
const { workerData } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const head = new Int32Array(workerData.shared, 0, 2);
let seen = -1, idle = 0;
setInterval(() => {
  const count = Atomics.load(head, 0);
  idle = count === seen ? idle + 1 : 0;
  seen = count;
  if (idle < workerData.checksMax) return;
  const input = Buffer.from(workerData.shared, 8, Atomics.load(head, 1)).toString("base64");
  writeSync(1, "FINDING hang: an input does not come back\\n  input (base64): " + input + "\\n");
  process.kill(process.pid, "SIGKILL");
}, workerData.checkMs);
`;

/** One for a process. */
export class Watchdog {
  readonly #shared = new SharedArrayBuffer(8 + INPUT_BYTES_MAX);
  readonly #head = new Int32Array(this.#shared, 0, 2);
  readonly #input = new Uint8Array(this.#shared, 8);
  readonly #worker: Worker;

  constructor() {
    const workerData = { shared: this.#shared, checkMs: CHECK_MS, checksMax: CHECKS_MAX };
    this.#worker = new Worker(CODE, { eval: true, workerData });
    this.#worker.unref();
  }

  /** Tells that this input is about to run. */
  before(input: Uint8Array): void {
    const part = input.subarray(0, INPUT_BYTES_MAX);
    this.#input.set(part);
    Atomics.store(this.#head, 1, part.length);
    Atomics.add(this.#head, 0, 1);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
