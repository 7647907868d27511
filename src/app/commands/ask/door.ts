/** A way to a running instance: what the commands that ask one are sent by. */

/** One question or order. */
export interface DoorRequest {
  /** With query, beginning with `/`. */
  readonly path: string;
  readonly method: string;
  readonly timeoutMs: number;
  /** Sent as JSON; absent = none. */
  readonly body?: object | undefined;
}

/** What the instance answered, whatever its status. */
export interface DoorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Leads to one instance. */
export interface Door {
  /** For messages. */
  readonly where: string;
  /** Rejects with OperationError when the instance did not answer. */
  send(request: DoorRequest): Promise<DoorReply>;
  close(): void;
}
