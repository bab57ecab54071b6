import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { EtcdValue } from './key-range.ts';
import { endOfPart, headerAt, valueAt } from './kv-messages.ts';

// The messages of etcd's watch service (etcd: api/etcdserverpb/rpc.proto). Decoded manually, as
// every write of every server causes one.

/** The start of a watch. */
export interface WatchRequest {
  readonly key: Uint8Array;
  readonly range_end?: Uint8Array;
  readonly start_revision: number;
  readonly prev_kv?: boolean;
  /** Allows etcd to split large responses. */
  readonly fragment?: boolean;
  readonly progress_notify?: boolean;
}

/** One change; `previous` is undefined for a creation, and if etcd no longer has it. */
export type EtcdEvent =
  | {
      readonly type: 'put';
      readonly current: EtcdValue;
      readonly created: boolean;
      readonly previous: EtcdValue | undefined;
    }
  | {
      readonly type: 'delete';
      readonly key: string;
      readonly revision: number;
      readonly previous: EtcdValue | undefined;
    };

/** One message of a watch: a response, or a fragment of one. */
export interface WatchMessage {
  readonly clusterId: string;
  readonly revision: number;
  readonly created: boolean;
  readonly canceled: boolean;
  /** The oldest revision that is left, after a cancellation by a compaction; otherwise 0. */
  readonly compactRevision: number;
  readonly reason: string;
  /** True if the rest of the response follows. */
  readonly fragment: boolean;
  readonly events: readonly EtcdEvent[];
}

/** Encodes a WatchRequest that creates a watch. */
export function encodeWatchRequest(request: WatchRequest): Buffer {
  const { key, range_end, start_revision, prev_kv = false, fragment = false, progress_notify = false } = request;
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).bytes(key);
  if (range_end) writer.tag(2, WireType.LengthDelimited).bytes(range_end);
  writer.tag(3, WireType.Varint).int64(start_revision);
  writer.tag(4, WireType.Varint).bool(progress_notify);
  writer.tag(6, WireType.Varint).bool(prev_kv);
  writer.tag(8, WireType.Varint).bool(fragment);
  return Buffer.from(writer.join().finish());
}

/**
 * Decodes a WatchResponse. The values are views of the message's memory. Throws for an invalid
 * message.
 */
export function decodeWatchMessage(bytes: Buffer): WatchMessage {
  const reader = new BinaryReader(bytes);
  let header = { cluster_id: '', revision: '' };
  let [created, canceled, fragment] = [false, false, false];
  let compactRevision = 0;
  let reason = '';
  const events: EtcdEvent[] = [];
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1) header = headerAt(reader);
    else if (field === 3) created = reader.bool();
    else if (field === 4) canceled = reader.bool();
    else if (field === 5) compactRevision = Number(reader.int64());
    else if (field === 6) reason = reader.string();
    else if (field === 7) fragment = reader.bool();
    else if (field === 11) events.push(eventAt(reader));
    else reader.skip(type);
  }
  const { cluster_id: clusterId, revision } = header;
  return { clusterId, revision: Number(revision), created, canceled, compactRevision, reason, fragment, events };
}

/** The value of EventType for a delete. */
const deleted = 1;

/** Decodes an Event. */
function eventAt(reader: BinaryReader): EtcdEvent {
  const end = endOfPart(reader);
  let type = 0;
  let current: EtcdValue = noValue;
  let previous: EtcdValue | undefined;
  while (reader.pos < end) {
    const [field, wireType] = reader.tag();
    if (field === 1) type = reader.int32();
    else if (field === 2) current = valueAt(reader);
    else if (field === 3) previous = valueAt(reader);
    else reader.skip(wireType);
  }
  if (type === deleted) return { type: 'delete', key: current.key, revision: current.revision, previous };
  return { type: 'put', current, created: current.createRevision === current.revision, previous };
}

const noValue: EtcdValue = Object.freeze({ key: '', value: Buffer.alloc(0), revision: 0, createRevision: 0 });
