import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../src/meta/json-value.ts';
import type { ApiResponse, ApiTarget } from './api-target.ts';
import { executeStep } from './execute-step.ts';
import { textAt } from './json-paths.ts';
import { fillPlaceholders, type Placeholders } from './placeholders.ts';
import type { WatchedCollection } from './sequence.ts';

/** A watch in progress. */
export interface EventCollection {
  /** Makes the last object, waits for its event, and answers with the events of each object in their order. */
  finish(): Promise<ApiResponse>;
}

/** The longest wait for the event of the last object: without it, events were lost. */
const lastEventTimeoutMs = 20_000;

/** The longest wait for the end of a watch that has been aborted. */
const abortTimeoutMs = 5000;

/** Watches a collection of a server from now on. */
export async function collectEvents(
  target: ApiTarget,
  watched: WatchedCollection,
  placeholders: Placeholders,
): Promise<EventCollection> {
  const list = await executeStep(target, { method: 'GET', path: watched.path }, placeholders);
  const version = textAt(list.body, ['metadata', 'resourceVersion']);
  const path = watchPath(watched, placeholders, version);
  const ending = new AbortController();
  const documents: JsonValue[] = [];
  const lastName = fillPlaceholders(textAt(watched.last.body, ['metadata', 'name']), placeholders);
  const reading = read(await target.watch(path, ending.signal), documents, lastName);
  return {
    async finish() {
      const { status } = await executeStep(target, watched.last, placeholders);
      const inTime = sleep(lastEventTimeoutMs, false, { signal: ending.signal }).catch(() => false);
      const ended = status < 300 ? await Promise.race([reading, inTime]) : false;
      ending.abort();
      // Usually at once; a run must end although the client does not tell that the body is cut.
      await Promise.race([reading, sleep(abortTimeoutMs, undefined, { ref: false })]);
      const body = { last: status, ended, events: byName(documents) };
      return { status: 200, contentType: '', warnings: [], body };
    },
  };
}

function watchPath({ path, query }: WatchedCollection, placeholders: Placeholders, version: string): string {
  const parameters = new URLSearchParams({ watch: 'true', ...query, resourceVersion: version });
  return `${fillPlaceholders(path, placeholders)}?${parameters.toString()}`;
}

/** Keeps documents up to the event of the object that is made last; false where the stream ends before it. */
async function read(stream: AsyncIterable<JsonValue>, documents: JsonValue[], lastName: string): Promise<boolean> {
  try {
    for await (const document of stream) {
      if (nameOf(document) === lastName) return true;
      documents.push(document);
    }
  } catch {
    // The watch was cut: what it said until then is compared.
  }
  return false;
}

function nameOf(document: JsonValue): string {
  return textAt(document, ['object', 'metadata', 'name']);
}

function byName(documents: readonly JsonValue[]): JsonObject {
  const events: JsonObject = {};
  for (const document of documents) {
    const name = nameOf(document);
    const known = events[name];
    if (isJsonObject(document)) setOwn(events, name, [...(Array.isArray(known) ? known : []), document]);
  }
  return events;
}
