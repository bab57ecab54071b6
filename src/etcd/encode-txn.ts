import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { messageHeadBytes, writeMessageHead } from './message-head.ts';

/**
 * One change of one key that must be at a revision; `expectedRevision` 0 means that it must not
 * exist.
 */
export interface TxnRequest {
  readonly key: Uint8Array;
  readonly expectedRevision: number;
  /** The value to put; undefined deletes the key. */
  readonly value: Uint8Array | undefined;
  /** ID of the key's lease. */
  readonly lease?: string;
}

/** Values of Compare.CompareTarget, and the field numbers of the compared values. */
const compareCreate = { target: 1, field: 5 };
const compareMod = { target: 2, field: 6 };

/** The fields of the messages (etcd: api/etcdserverpb/rpc.proto), as the bytes in front of them. */
const tags = {
  compare: tagOf(1, WireType.LengthDelimited),
  compareTarget: tagOf(2, WireType.Varint),
  compareKey: tagOf(3, WireType.LengthDelimited),
  onSuccess: tagOf(2, WireType.LengthDelimited),
  onFailure: tagOf(3, WireType.LengthDelimited),
  rangeOp: tagOf(1, WireType.LengthDelimited),
  putOp: tagOf(2, WireType.LengthDelimited),
  deleteOp: tagOf(3, WireType.LengthDelimited),
  /** The key of a PutRequest, a DeleteRangeRequest and a RangeRequest. */
  key: tagOf(1, WireType.LengthDelimited),
  value: tagOf(2, WireType.LengthDelimited),
};

/**
 * Encodes a TxnRequest with its gRPC header: a comparison, one operation on success, and on failure
 * a range over the key, except for a create. Every write needs it, so the lengths are computed
 * first, and all is written into one buffer.
 */
export function encodeTxn({ key, expectedRevision, value, lease }: TxnRequest): Buffer {
  const { target, field } = expectedRevision === 0 ? compareCreate : compareMod;
  const leaseField = value && lease ? encodeLease(lease) : noBytes;
  const keyLength = lengthOfField(key.length);
  const compareLength = 2 + keyLength + 1 + lengthOfVarint(expectedRevision);
  const changeLength = keyLength + (value ? lengthOfField(value.length) : 0) + leaseField.length;
  const opLength = lengthOfField(changeLength);
  const rangeLength = expectedRevision > 0 ? lengthOfField(keyLength) : 0;
  const length =
    lengthOfField(compareLength) + lengthOfField(opLength) + (rangeLength > 0 ? lengthOfField(rangeLength) : 0);

  const bytes = Buffer.allocUnsafe(messageHeadBytes + length);
  let at = writeMessageHead(bytes, length);
  at = writeNumber(bytes, at, tags.compare, compareLength);
  at = writeNumber(bytes, at, tags.compareTarget, target);
  at = writeBytes(bytes, at, tags.compareKey, key);
  at = writeNumber(bytes, at, tagOf(field, WireType.Varint), expectedRevision);
  at = writeNumber(bytes, at, tags.onSuccess, opLength);
  at = writeNumber(bytes, at, value ? tags.putOp : tags.deleteOp, changeLength);
  at = writeBytes(bytes, at, tags.key, key);
  if (value) at = writeBytes(bytes, at, tags.value, value);
  bytes.set(leaseField, at);
  at += leaseField.length;
  if (rangeLength === 0) return bytes;
  at = writeNumber(bytes, at, tags.onFailure, rangeLength);
  at = writeNumber(bytes, at, tags.rangeOp, keyLength);
  writeBytes(bytes, at, tags.key, key);
  return bytes;
}

/** The field numbers are small, so that each tag is one byte. */
function tagOf(field: number, type: WireType): number {
  return (field << 3) | type;
}

/** The lease of a PutRequest. Its ID has 63 bits, more than a number. */
function encodeLease(lease: string): Uint8Array {
  return new BinaryWriter().tag(3, WireType.Varint).int64(lease).finish();
}

const noBytes = new Uint8Array();

function lengthOfVarint(value: number): number {
  let length = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) length++;
  return length;
}

/**
 * The length of a length-delimited field: a tag of one byte, the length as a varint, and the
 * content.
 */
function lengthOfField(length: number): number {
  return 1 + lengthOfVarint(length) + length;
}

/** Writes a tag and a number, or the length of the value that follows. Returns the next offset. */
function writeNumber(bytes: Buffer, offset: number, tag: number, value: number): number {
  let at = offset;
  bytes[at++] = tag;
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
  bytes[at++] = rest;
  return at;
}

function writeBytes(bytes: Buffer, offset: number, tag: number, content: Uint8Array): number {
  const at = writeNumber(bytes, offset, tag, content.length);
  bytes.set(content, at);
  return at + content.length;
}
