import type { GrpcError } from './grpc-error.ts';
import type { HeaderFields } from './hpack.ts';

/** A unary call from its beginning to its answer; belongs to one connection. */
export interface GrpcCall {
  /** Path of the method. */
  readonly path: string;
  /** Behind the head that gRPC puts before messages, as the answer is. */
  readonly message: Buffer;
  /** Called once. */
  readonly settle: (result: Buffer | GrpcError) => void;
  /** 0 until the first byte of it has been sent. */
  streamId: number;
  /** Bytes of the message that were sent, and that the other side will still take. */
  sent: number;
  window: number;
  /** What has come of the answer, and space for the rest of it. */
  answer: Buffer;
  received: number;
  /** Bytes that came since the other side was told that it may send more. */
  unacknowledged: number;
  /** The header fields before the answer. */
  fields: HeaderFields | undefined;
}

/** What stands before a message: whether it is compressed, and its length (gRPC over HTTP/2, Length-Prefixed-Message). */
const messageHeadBytes = 5;

/** Space is not made for more at first: who says that there is more may be mistaken. */
const firstAnswerBytes = 8 << 20;

const nothing = Buffer.alloc(0);

/** A call that has not begun. */
export function newCall(path: string, message: Buffer, settle: GrpcCall['settle']): GrpcCall {
  return {
    path,
    message,
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
 * Copies the next part of an answer to the others. How long it will be says its beginning, so space is made once, and for a large one
 * again whenever twice as much has come.
 */
export function takeAnswer(call: GrpcCall, part: Buffer): void {
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

/** How long an answer says to be; 0 where its beginning has not come. */
function expectedBytes(begun: Buffer): number {
  return begun.length < messageHeadBytes ? 0 : messageHeadBytes + begun.readUInt32BE(1);
}

/** The answer, when all of it has come. */
export function answerOf({ answer, received }: GrpcCall): Buffer {
  return received === answer.length ? answer : answer.subarray(0, received);
}
