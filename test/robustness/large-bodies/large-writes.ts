import { Agent, request as send } from 'node:https';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import type { TestServer } from '../../../src/testing/index.ts';
import { type Filling, largeBody, smallObject } from './large-body.ts';
import type { LargeField } from './large-fields.ts';
import { longestBlockMs, measureBlocks } from './loop-blocks.ts';

/** A way to write a large body. */
export type Write = 'create' | 'update' | 'json' | 'merge' | 'strategic' | 'apply';

/** All ways. */
export const writes: readonly Write[] = ['create', 'update', 'json', 'merge', 'strategic', 'apply'];

/** The largest answer to a request that is refused. */
const refusalLimitBytes = 1024 * 1024;

/** A block is measured again before it counts: other processes take the caches, and the collector its turns. */
const attempts = 6;

/** One large write. */
export interface LargeWrite {
  readonly field: LargeField;
  readonly filling: Filling;
  readonly write: Write;
}

/** What a client sends. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

/** What it is answered. */
interface Received {
  readonly status: number;
  readonly bytes: Buffer;
}

/** `core/v1 pods spec.containers[].ports: equal items by merge`. */
export function titleOf({ field, filling, write }: LargeWrite): string {
  const { info, version, path } = field;
  const place = path.join('.').replaceAll('.[]', '[]').replaceAll('.{}', '{}');
  return `${info.shortGroup || 'core'}/${version.version} ${info.resource} ${place}: ${filling} items by ${write}`;
}

/** A client of one server, which it shares the process with so that it can measure the event loop. */
export class LargeWriter implements Disposable {
  readonly #server: TestServer;
  readonly #agent: Agent;
  #count = 0;

  constructor(server: TestServer) {
    this.#server = server;
    this.#agent = new Agent({ keepAlive: true, ca: server.ca });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** Sends a large write and says what is wrong with the answer, or with the event loop; undefined where nothing is. */
  async problemOf(write: LargeWrite): Promise<string | undefined> {
    let problem: string | undefined;
    for (let left = attempts; left > 0; left--) {
      const { result, blockMs } = await this.#measure(write);
      problem = faultOf(result);
      if (problem !== undefined) return problem;
      if (blockMs < longestBlockMs) return undefined;
      problem = `blocked the event loop for ${Math.round(blockMs)} ms (${result.status})`;
    }
    return problem;
  }

  async #measure({ field, filling, write }: LargeWrite) {
    // A name of its own: some kinds wait for controllers before they go.
    const small = smallObject(field, `large-${++this.#count}`);
    const collection = collectionPath(field);
    const path = `${collection}/${nameOf(small)}`;
    const metadata = write === 'create' ? undefined : await this.#created(collection, small);
    // An applier says nothing about versions, and whose object it is.
    if (metadata && write !== 'apply') small['metadata'] = metadata;
    const sent = requestFor(write, { field, small, collection, path, body: largeBody(field, small, filling) });
    // Garbage of the test itself is none of the server's.
    globalThis.gc?.();
    try {
      return await measureBlocks(() => this.#send(sent));
    } finally {
      await this.#remove(path);
    }
  }

  async #created(collection: string, object: JsonObject): Promise<JsonObject> {
    const body = Buffer.from(JSON.stringify(object));
    const response = await this.#send({ method: 'POST', path: collection, type: 'application/json', body });
    if (response.status !== 201) throw new Error(`no small object: ${response.bytes.toString().slice(0, 400)}`);
    const created = objectIn(response);
    const metadata = created?.['metadata'];
    return isJsonObject(metadata)
      ? { name: metadata['name'] ?? '', resourceVersion: metadata['resourceVersion'] ?? '' }
      : {};
  }

  async #remove(path: string): Promise<void> {
    // Once more without finalizers: nothing but this test is there to remove them.
    const remove = { method: 'DELETE', path: `${path}?gracePeriodSeconds=0&propagationPolicy=Background` };
    const none = { type: 'application/json', body: Buffer.alloc(0) };
    const response = await this.#send({ ...remove, ...none });
    if (response.status === 404) return;
    const body = Buffer.from(JSON.stringify({ metadata: { finalizers: null } }));
    await this.#send({ method: 'PATCH', path, type: 'application/merge-patch+json', body });
    await this.#send({ ...remove, ...none });
  }

  #send({ method, path, type, body }: Sent): Promise<Received> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${this.#server.token}`,
        'content-type': type,
        'content-length': body.length,
      };
      const options = { method, headers, agent: this.#agent };
      const request = send(`${this.#server.url}${path}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) }));
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(body);
    });
  }
}

function collectionPath({ info, version }: LargeField): string {
  const prefix = info.group === '' ? `/api/${version.version}` : `/apis/${info.group}/${version.version}`;
  return `${prefix}${info.namespaced ? '/namespaces/default' : ''}/${info.resource}`;
}

function nameOf({ metadata }: JsonObject): string {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

/** What a request is made of. */
interface Parts {
  readonly field: LargeField;
  readonly small: JsonObject;
  readonly collection: string;
  readonly path: string;
  readonly body: { readonly whole: string; readonly part: string };
}

function requestFor(write: Write, { field, collection, path, body }: Parts): Sent {
  const [top = ''] = field.path;
  const ofStatus = top === 'status' && field.version.subresources.some(({ name }) => name === 'status');
  const target = ofStatus ? `${path}/status` : path;
  const patch = (type: string, text: string, query = ''): Sent => ({
    method: 'PATCH',
    path: `${target}${query}`,
    type: `application/${type}`,
    body: Buffer.from(text),
  });
  const merge = `{${JSON.stringify(top)}:${body.part}}`;
  const requests: Readonly<Record<Write, () => Sent>> = {
    create: () => ({ method: 'POST', path: collection, type: 'application/json', body: Buffer.from(body.whole) }),
    update: () => ({ method: 'PUT', path: target, type: 'application/json', body: Buffer.from(body.whole) }),
    json: () => patch('json-patch+json', `[{"op":"add","path":"/${top}","value":${body.part}}]`),
    merge: () => patch('merge-patch+json', merge),
    strategic: () => patch('strategic-merge-patch+json', merge),
    apply: () => patch('apply-patch+yaml', body.whole, '?fieldManager=large&force=true'),
  };
  return requests[write]();
}

/** Answers that a large write may get. What breaks the schema is a 500 without a reason for appliers, as in kube-apiserver. */
const expected: ReadonlySet<number> = new Set([200, 201, 400, 403, 405, 409, 413, 422]);

function faultOf(response: Received): string | undefined {
  const { status, bytes } = response;
  if (status < 300) return expected.has(status) ? undefined : `status ${status}`;
  if (bytes.length > refusalLimitBytes) return `a refusal of ${bytes.length} bytes (${status})`;
  const body = objectIn(response);
  if (body?.['kind'] !== 'Status' || body['code'] !== status) return `no Status: ${bytes.toString().slice(0, 200)}`;
  const message = typeof body['message'] === 'string' ? body['message'] : '';
  const isOfApply = status === 500 && message.startsWith('failed to');
  return expected.has(status) || isOfApply ? undefined : `${status}: ${message.slice(0, 200)}`;
}

function objectIn({ bytes }: Received): JsonObject | undefined {
  const value: unknown = JSON.parse(bytes.toString());
  return typeof value === 'object' && value !== null && isJsonObject(value as JsonObject)
    ? (value as JsonObject)
    : undefined;
}
