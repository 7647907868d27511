/**
 * A connection to a running instance, by which commands send their requests: over its own address,
 * or through the API server of its cluster. Types only.
 */

/** A question or order. */
export interface DoorRequest {
  /** With query, beginning with `/`. */
  readonly path: string;
  readonly method: string;
  readonly timeoutMs: number;
  /** Sent as JSON; absent = none. */
  readonly body?: object | undefined;
}

/** The answer of the instance, whatever its status. */
export interface DoorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The connection to one instance. */
export interface Door {
  /** Name of the instance, for messages. */
  readonly where: string;
  /** Rejects with OperationError when the instance did not answer. */
  send(request: DoorRequest): Promise<DoorReply>;
  close(): void;
}
