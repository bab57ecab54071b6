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
  readonly pieces: Buffer[];
  /** Bytes that came since the other side was told that it may send more. */
  unacknowledged: number;
  /** The header fields before the answer. */
  fields: HeaderFields | undefined;
}

/** A call that has not begun. */
export function newCall(path: string, message: Buffer, settle: GrpcCall['settle']): GrpcCall {
  return { path, message, settle, streamId: 0, sent: 0, window: 0, pieces: [], unacknowledged: 0, fields: undefined };
}
