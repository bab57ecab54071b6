import type { GrpcError } from './grpc-error.ts';
import type { HeaderFields } from './hpack.ts';

/** A unary call on one connection, from its start to its response. */
export interface GrpcCall {
  /** Path of the method. */
  readonly path: string;
  /** The message with its gRPC header, like the response. */
  readonly message: Buffer;
  /** Header fields of this call alone, encoded. */
  metadata: Buffer | undefined;
  /** Called once, with the result. */
  readonly settle: (result: Buffer | GrpcError) => void;
  /** 0 until the call is sent. */
  streamId: number;
  /** Bytes of the message that were sent, and the remaining flow-control window of the stream. */
  sent: number;
  window: number;
  /** Buffer for the response, and the number of bytes received. */
  answer: Buffer;
  received: number;
  /** Received bytes that no WINDOW_UPDATE has acknowledged yet. */
  unacknowledged: number;
  /** The header fields before the response. */
  fields: HeaderFields | undefined;
}

/**
 * The header of a message: compression flag and length (gRPC over HTTP/2, Length-Prefixed-Message).
 */
const messageHeadBytes = 5;

/** Limit of the first buffer for a response, because the announced length may be wrong. */
const firstAnswerBytes = 8 << 20;

const nothing = Buffer.alloc(0);

/** A call that has not been sent. */
export function newCall(path: string, message: Buffer, settle: GrpcCall['settle']): GrpcCall {
  return {
    path,
    message,
    metadata: undefined,
    settle,
    streamId: 0,
    sent: 0,
    window: 0,
    answer: nothing,
    received: 0,
    unacknowledged: 0,
    fields: undefined,
  };
}

/**
 * Appends a part of the response. The buffer is allocated once, by the announced length; the buffer
 * of a large response doubles while data arrives.
 */
export function receiveData(call: GrpcCall, part: Buffer): void {
  const { answer, received } = call;
  const wanted = received + part.length;
  if (wanted > answer.length) {
    const expected = expectedBytes(received === 0 ? part : answer.subarray(0, received));
    const space = Math.min(expected, Math.max(firstAnswerBytes, 2 * answer.length));
    call.answer = Buffer.allocUnsafe(Math.max(wanted, space));
    answer.copy(call.answer, 0, 0, received);
  }
  call.received += part.copy(call.answer, received);
}

/** The announced length of a response; 0 if its header is not complete. */
function expectedBytes(begun: Buffer): number {
  return begun.length < messageHeadBytes ? 0 : messageHeadBytes + begun.readUInt32BE(1);
}

/** The response after all of it has arrived. */
export function answerOf({ answer, received }: GrpcCall): Buffer {
  return received === answer.length ? answer : answer.subarray(0, received);
}
