import type { ApiList, ApiObject } from './api-object.ts';
import type { JsonCodec } from './runtime-json.ts';
import { badAnswer } from './error-of-response.ts';

/** A request, as errors name it. */
interface NamedRequest {
  readonly method: string;
  readonly path: string;
}

/**
 * Decodes the body of a successful response, which is an object whose type the caller declares: the
 * server enforces its schema. Throws `StatusError` with the reason `BadAnswer` for any other body.
 */
export function readObject(codec: JsonCodec, body: Buffer, request: NamedRequest): object {
  const value = parsed(codec, body, request);
  if (isObject(value)) return value;
  throw badAnswer(`the server sent no object for ${nameOf(request)}`);
}

/** Decodes a list like `readObject`: its items are objects, and it has metadata. */
export function readList<T extends ApiObject>(codec: JsonCodec, body: Buffer, request: NamedRequest): ApiList<T> {
  const list = readObject(codec, body, request) as Partial<ApiList<T>>;
  const items = list.items ?? [];
  if (Array.isArray(items) && items.every(isObject)) return { ...list, metadata: list.metadata ?? {}, items };
  throw badAnswer(`the server sent no list for ${nameOf(request)}`);
}

/** Decodes an event of a watch like `readObject`: it has an object too. */
export function readEvent(codec: JsonCodec, line: Buffer, request: NamedRequest): object {
  const event = readObject(codec, line, request);
  if ('object' in event && isObject(event.object)) return event;
  throw badAnswer(`the server sent an event without an object for ${nameOf(request)}`);
}

/** The objects of a list in a body; none if it is of another type. */
export function objectsOf<Item extends object>(list: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(list) ? list.filter((item: Item) => isObject(item)) : [];
}

function parsed(codec: JsonCodec, body: Buffer, request: NamedRequest): unknown {
  try {
    return codec.parse(body);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw badAnswer(`the server sent no JSON for ${nameOf(request)}: ${why}`, cause);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf({ method, path }: NamedRequest): string {
  return `${method} ${path}`;
}
