import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { EventSchema, StoredValueSchema, UpdateResponseSchema } from '../../gen/storage/v1/object_store_pb.ts';
import type { Event, StoredValue as StoredValueMessage } from '../../gen/storage/v1/object_store_pb.ts';
import type { StoredValue, StoreEvent, SwapResult } from '../port/object-store.ts';

/** Encodes a message to a `Buffer`, as grpc-js requires, without a copy. */
export function serialize<D extends DescMessage>(schema: D, init: MessageInitShape<D>): Buffer {
  const bytes = toBinary(schema, create(schema, init));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A stored value as a message. The bytes are not copied before serialisation. */
export function valueMessage({ key, value, revision }: StoredValue): MessageInitShape<typeof StoredValueSchema> {
  return { key, value, revision: BigInt(revision) };
}

/** The stored value of a message; its bytes are a view of the message's. */
export function valueOfMessage({ key, value, revision }: StoredValueMessage): StoredValue {
  return { key, value, revision: Number(revision) };
}

/** A stored value that may be absent, as a message. */
export function optionalValueMessage(value: StoredValue | undefined) {
  return value ? { current: valueMessage(value) } : {};
}

/** One event as a message. */
export function eventMessage(event: StoreEvent): MessageInitShape<typeof EventSchema> {
  const previous = event.previous ? { previous: valueMessage(event.previous) } : {};
  if (event.type === 'delete') return { key: event.key, revision: BigInt(event.revision), ...previous };
  const { key, value, revision } = event.current;
  return { key, value, revision: BigInt(revision), created: event.created, ...previous };
}

/** The event of a message. */
export function eventOfMessage({ key, revision: bigRevision, value, created, previous: before }: Event): StoreEvent {
  const revision = Number(bigRevision);
  const previous = before && valueOfMessage(before);
  if (value === undefined) return { type: 'delete', key, revision, previous };
  return { type: 'put', current: { key, value, revision }, created, previous };
}

/** The result of a compare-and-swap as a message; update and delete responses are alike. */
export function swapMessage(result: SwapResult) {
  const { swapped } = result;
  const current = result.swapped ? {} : { ...optionalValueMessage(result.current), ...sessionOf(result.session) };
  return { swapped, revision: BigInt(result.revision), ...current };
}

/** The compare-and-swap result of a message. */
export function swapOfMessage(
  message: Pick<MessageShape<typeof UpdateResponseSchema>, 'swapped' | 'revision' | 'current' | 'session'>,
): SwapResult {
  const revision = Number(message.revision);
  if (message.swapped) return { swapped: true, revision };
  const current = message.current && valueOfMessage(message.current);
  return { swapped: false, revision, current, ...sessionOf(message.session) };
}

/** A session as a property; '' stands for none on the wire. */
export function sessionOf(session: string | undefined): { readonly session?: string } {
  return session ? { session } : {};
}
