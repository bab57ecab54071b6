import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { EtcdValue } from './etcd-value.ts';
import type { EtcdHeader } from './revision-clock.ts';

// The messages of etcd's key-value service (etcd: api/etcdserverpb/rpc.proto), as far as this project uses them: written and read by
// hand, because they are made for each request. A message stands behind a flag for compression and its length (gRPC over
// HTTP/2, Length-Prefixed-Message).

/** What stands before a message. */
const messageHeadBytes = 5;

/** Keys from `key` to `range_end` (exclusive), or `key` alone. */
export interface RangeRequest {
  readonly key: Uint8Array;
  readonly range_end?: Uint8Array;
  /** 0 is no limit. */
  readonly limit?: number | undefined;
  /** The newest, where it is not given. */
  readonly revision?: number | undefined;
  readonly count_only?: boolean;
}

/** What a range answers; `values` may be fewer than `count`. */
interface RangeAnswer {
  readonly header: EtcdHeader;
  readonly values: readonly EtcdValue[];
  readonly count: number;
}

/** One change of one key that must be at a revision: `expectedRevision` 0 is that it must not exist. */
export interface TxnRequest {
  readonly key: Uint8Array;
  readonly expectedRevision: number;
  /** Undefined deletes the key. */
  readonly value: Uint8Array | undefined;
  /** The id of a lease. */
  readonly lease?: string;
}

/** What a transaction answers. */
export interface TxnAnswer {
  readonly header: EtcdHeader;
  readonly succeeded: boolean;
  /** What stands at the key where the condition did not hold. */
  readonly current: EtcdValue | undefined;
}

/** An answer that is no message of its kind. */
export class MessageError extends Error {
  override readonly name = 'MessageError';
}

/** A RangeRequest, framed. */
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

/** The numbers of Compare.CompareTarget, and of the fields that say what is compared with. */
const compareCreate = { target: 1, field: 5 };
const compareMod = { target: 2, field: 6 };

/** A TxnRequest, framed: compare, one operation on success, and on failure a range over the key, except for a creation. */
export function encodeTxn(request: TxnRequest): Buffer {
  const { key, expectedRevision } = request;
  const { target, field } = expectedRevision === 0 ? compareCreate : compareMod;
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).fork();
  writer.tag(2, WireType.Varint).int32(target);
  writer.tag(3, WireType.LengthDelimited).bytes(key);
  writer.tag(field, WireType.Varint).int64(expectedRevision).join();
  const behind = new BinaryWriter();
  const value = writeChange(writer, behind, request);
  if (expectedRevision > 0) {
    const rangeLength = lengthOfField(key.length);
    behind.tag(3, WireType.LengthDelimited).uint32(lengthOfField(rangeLength));
    behind.tag(1, WireType.LengthDelimited).uint32(rangeLength);
    behind.tag(1, WireType.LengthDelimited).bytes(key);
  }
  return framedParts([writer.finish(), value, behind.finish()]);
}

/**
 * A RequestOp with a PutRequest or a DeleteRangeRequest, but for the value, which stands between the writers and is answered: it may
 * be long, and so it is copied once. For that its length stands first.
 */
function writeChange(writer: BinaryWriter, behind: BinaryWriter, { key, value, lease }: TxnRequest): Uint8Array {
  const leaseField = new BinaryWriter();
  if (value && lease) leaseField.tag(3, WireType.Varint).int64(lease);
  const lastField = leaseField.finish();
  const length = lengthOfField(key.length) + (value ? lengthOfField(value.length) : 0) + lastField.length;
  writer.tag(2, WireType.LengthDelimited).uint32(lengthOfField(length));
  writer.tag(value ? 2 : 3, WireType.LengthDelimited).uint32(length);
  writer.tag(1, WireType.LengthDelimited).bytes(key);
  if (value) writer.tag(2, WireType.LengthDelimited).uint32(value.length);
  behind.raw(lastField);
  return value ?? noBytes;
}

/** How long a field is that has a length: its tag, of one byte for the numbers here, the length, and so many bytes. */
function lengthOfField(length: number): number {
  let lengthBytes = 1;
  for (let rest = length; rest > 0x7f; rest = Math.floor(rest / 0x80)) lengthBytes++;
  return 1 + lengthBytes + length;
}

function framed(writer: BinaryWriter): Buffer {
  return framedParts([writer.finish()]);
}

/** A message in several parts, behind its head. */
function framedParts(parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const frame = Buffer.allocUnsafe(messageHeadBytes + length);
  frame[0] = 0;
  let at = frame.writeUInt32BE(length, 1);
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

/** Reads a framed RangeResponse. Throws `MessageError`. */
export function decodeRange(answer: Buffer): RangeAnswer {
  const reader = unframed(answer);
  const { header, values, count } = rangeAt(reader, reader.len);
  return { header: known(header), values, count };
}

/** A RangeResponse; inside a transaction it has no header. */
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

/** Reads a framed TxnResponse. Throws `MessageError`. */
export function decodeTxn(answer: Buffer): TxnAnswer {
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

/** A ResponseOp: of a range, what it found; of a change there is nothing to know. */
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
  if (!header?.cluster_id || !header.revision) throw new MessageError('an answer does not say whose it is');
  return header;
}

/** A ResponseHeader. */
function headerAt(reader: BinaryReader): EtcdHeader {
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

/** A KeyValue; its value shares the memory of the answer. */
function valueAt(reader: BinaryReader): EtcdValue {
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

/** The same bytes as a `Buffer`, not a copy. */
function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** Where the message inside a message ends that begins here. */
function endOfPart(reader: BinaryReader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new MessageError('a message is cut off');
  return end;
}

function unframed(answer: Buffer): BinaryReader {
  if (answer.length < messageHeadBytes || answer[0] !== 0) throw new MessageError('there is no plain message');
  if (answer.readUInt32BE(1) !== answer.length - messageHeadBytes) throw new MessageError('a message is cut off');
  return new BinaryReader(answer.subarray(messageHeadBytes));
}
