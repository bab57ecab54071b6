import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { EtcdValue } from './key-range.ts';
import { messageHeadBytes, writeMessageHead } from './message-head.ts';
import type { EtcdHeader } from './revision-clock.ts';

// The messages of etcd's key-value service (etcd: api/etcdserverpb/rpc.proto) that this project
// uses, besides the transactions (`encode-txn.ts`). Encoded and decoded manually, because every
// request needs them.

/** The keys from `key` to `range_end` (exclusive), or `key` alone. */
export interface RangeRequest {
  readonly key: Uint8Array;
  readonly range_end?: Uint8Array;
  /** 0 means no limit. */
  readonly limit?: number | undefined;
  /** The revision to read at; undefined: the newest. */
  readonly revision?: number | undefined;
  readonly count_only?: boolean;
}

/** The response to a range; `values` may be fewer than `count`. */
interface RangeResponse {
  readonly header: EtcdHeader;
  readonly values: readonly EtcdValue[];
  readonly count: number;
}

/** The response to a transaction. */
export interface TxnResponse {
  readonly header: EtcdHeader;
  readonly succeeded: boolean;
  /** The present value of the key if the comparison failed. */
  readonly current: EtcdValue | undefined;
}

/** A response that is not a valid message. */
class MessageError extends Error {
  override readonly name = 'MessageError';
}

/** Encodes a RangeRequest with its gRPC header. */
export function encodeRange(request: RangeRequest): Buffer {
  return framed(rangeRequest(request));
}

function rangeRequest({ key, range_end, limit = 0, revision = 0, count_only = false }: RangeRequest): BinaryWriter {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).bytes(key);
  if (range_end) writer.tag(2, WireType.LengthDelimited).bytes(range_end);
  if (limit > 0) writer.tag(3, WireType.Varint).int64(limit);
  if (revision > 0) writer.tag(4, WireType.Varint).int64(revision);
  if (count_only) writer.tag(9, WireType.Varint).bool(true);
  return writer;
}

function framed(writer: BinaryWriter): Buffer {
  const message = writer.finish();
  const frame = Buffer.allocUnsafe(messageHeadBytes + message.length);
  frame.set(message, writeMessageHead(frame, message.length));
  return frame;
}

/** Decodes a RangeResponse with its gRPC header. Throws `MessageError`. */
export function decodeRange(answer: Buffer): RangeResponse {
  const reader = unframed(answer);
  const { header, values, count } = rangeAt(reader, reader.len);
  return { header: known(header), values, count };
}

/** Decodes a RangeResponse; inside a transaction it has no header. */
function rangeAt(reader: BinaryReader, end: number) {
  let header: EtcdHeader | undefined;
  const values: EtcdValue[] = [];
  let count = 0;
  while (reader.pos < end) {
    const [field, type] = reader.tag();
    if (field === 1) header = headerAt(reader);
    else if (field === 2) values.push(valueAt(reader));
    else if (field === 4) count = Number(reader.int64());
    else reader.skip(type);
  }
  return { header, values, count };
}

/** Decodes a TxnResponse with its gRPC header. Throws `MessageError`. */
export function decodeTxn(answer: Buffer): TxnResponse {
  const reader = unframed(answer);
  let header: EtcdHeader | undefined;
  let succeeded = false;
  let current: EtcdValue | undefined;
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1) header = headerAt(reader);
    else if (field === 2) succeeded = reader.bool();
    else if (field === 3) current = foundAt(reader);
    else reader.skip(type);
  }
  return { header: known(header), succeeded, current };
}

/** Decodes a ResponseOp: the first value of a range; undefined for a change. */
function foundAt(reader: BinaryReader): EtcdValue | undefined {
  const end = endOfPart(reader);
  let found: EtcdValue | undefined;
  while (reader.pos < end) {
    const [field, type] = reader.tag();
    if (field === 1) found = rangeAt(reader, endOfPart(reader)).values[0];
    else reader.skip(type);
  }
  return found;
}

function known(header: EtcdHeader | undefined): EtcdHeader {
  if (!header?.cluster_id || !header.revision)
    throw new MessageError('a response has no cluster ID or revision in its header');
  return header;
}

/** Decodes a ResponseHeader. */
export function headerAt(reader: BinaryReader): EtcdHeader {
  const end = endOfPart(reader);
  const header = { cluster_id: '', revision: '' };
  while (reader.pos < end) {
    const [field, type] = reader.tag();
    if (field === 1) header.cluster_id = String(reader.uint64());
    else if (field === 3) header.revision = String(reader.int64());
    else reader.skip(type);
  }
  return header;
}

/** Decodes a KeyValue; its value is a view of the response's memory. */
export function valueAt(reader: BinaryReader): EtcdValue {
  const end = endOfPart(reader);
  let key: Uint8Array = noBytes;
  let value: Uint8Array = noBytes;
  let [createRevision, revision] = [0, 0];
  while (reader.pos < end) {
    const [field, type] = reader.tag();
    if (field === 1) key = reader.bytes();
    else if (field === 2) createRevision = Number(reader.int64());
    else if (field === 3) revision = Number(reader.int64());
    else if (field === 5) value = reader.bytes();
    else reader.skip(type);
  }
  return { key: bufferOf(key).toString(), value: bufferOf(value), revision, createRevision };
}

const noBytes = new Uint8Array();

/** The same bytes as a `Buffer`, without a copy. */
function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** The end offset of the embedded message that begins here. */
export function endOfPart(reader: BinaryReader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new MessageError('a message is truncated');
  return end;
}

function unframed(answer: Buffer): BinaryReader {
  if (answer.length < messageHeadBytes || answer[0] !== 0) throw new MessageError('a response is empty or compressed');
  if (answer.readUInt32BE(1) !== answer.length - messageHeadBytes) throw new MessageError('a message is truncated');
  return new BinaryReader(answer.subarray(messageHeadBytes));
}
