import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { newDeferred } from '../../../../src/async/deferred.ts';
import { nextTurn } from '../../../../src/async/yield-if-long.ts';
import { http2Settings } from '../../../../src/http-protocol/messages/server-settings.ts';
import type { ResourceRegistry, VersionedEvent } from '../../../../src/registry/definition/registry.ts';
import { StatusError } from '../../../../src/status/status-error.ts';
import { type Fixture, startFixture } from '../../api/fixture.ts';

const collection = '/api/v1/namespaces/ns/configmaps';

interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly code?: number;
    readonly data?: object;
    readonly metadata: { readonly name: string };
    readonly columnDefinitions?: readonly { readonly name: string }[] | null;
  };
}

interface Stream {
  readonly response: http.IncomingMessage;
  readonly request: http.ClientRequest;
  /** The next event; throws at the end. */
  next(): Promise<WatchEvent>;
  /** Every event up to the end. */
  rest(): Promise<WatchEvent[]>;
}

async function open(server: Fixture, path: string, headers: http.OutgoingHttpHeaders = {}): Promise<Stream> {
  const request = http.get({ host: '127.0.0.1', port: server.port, path, headers, agent: false });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const lines = createInterface({ input: response })[Symbol.asyncIterator]();
  response.on('error', () => undefined);
  return {
    response,
    request,
    async next() {
      const { value, done } = await lines.next();
      if (done) throw new Error('the stream has ended');
      return JSON.parse(value);
    },
    async rest() {
      const all: WatchEvent[] = [];
      for (let line = await lines.next(); !line.done; line = await lines.next()) all.push(JSON.parse(line.value));
      return all;
    },
  };
}

const seen = ({ type, object }: WatchEvent): string => `${type} ${object.metadata.name}`;

const accept = (as: string) => ({ accept: `application/json;as=${as};v=v1;g=meta.k8s.io` });

describe('watches', () => {
  let server: Fixture;

  beforeEach(async () => {
    server = await startFixture();
  });
  afterEach(() => server[Symbol.asyncDispose]());

  it('follow a collection from a version, and end cleanly after timeoutSeconds', async () => {
    const start = await server.configMap('a');
    const stream = await open(server, `${collection}?watch=1&resourceVersion=${start}&timeoutSeconds=1`);
    assert.equal(stream.response.statusCode, 200);
    assert.equal(stream.response.headers['content-type'], 'application/json');
    assert.equal(stream.response.headers['transfer-encoding'], 'chunked');
    await server.configMap('b');
    await server.send({ method: 'DELETE', path: `${collection}/b` });
    assert.deepEqual((await stream.rest()).map(seen), ['ADDED b', 'DELETED b']);
    assert.equal(stream.response.complete, true);
  });

  it('begin with the state when no version is given', async () => {
    await server.configMap('a');
    await server.configMap('b');
    const stream = await open(server, `${collection}?watch=true`);
    assert.deepEqual([seen(await stream.next()), seen(await stream.next())], ['ADDED a', 'ADDED b']);
    stream.request.destroy();
  });

  it('end without an event under a negative timeoutSeconds', async () => {
    await server.configMap('a');
    const stream = await open(server, `${collection}?watch=1&timeoutSeconds=-1`);
    assert.equal(stream.response.statusCode, 200);
    assert.deepEqual(await stream.rest(), []);
  });

  it('of the deprecated path take the resourceVersionMatch of a list', async () => {
    const path = '/api/v1/watch/namespaces/ns/configmaps?resourceVersionMatch=Exact';
    const response = await server.send({ path });
    assert.equal(response.status, 422);
    assert.match(
      String(response.at('message')),
      /resourceVersionMatch is forbidden unless resourceVersion is provided$/,
    );
  });

  it('send headers though nothing happens', async () => {
    const stream = await open(server, `${collection}?watch=1`);
    assert.equal(stream.response.statusCode, 200);
    stream.request.destroy();
  });

  it('mark the end of the initial state with an annotated bookmark', async () => {
    const version = await server.configMap('a');
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const stream = await open(server, `${collection}?${query}`);
    assert.equal(seen(await stream.next()), 'ADDED a');
    assert.deepEqual(await stream.next(), {
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: {
          resourceVersion: version,
          creationTimestamp: null,
          annotations: { 'k8s.io/initial-events-end': 'true' },
        },
      },
    });
    stream.request.destroy();
  });

  it('select by label, by field and by the deprecated path', async () => {
    await server.configMap('a', { labels: { app: 'web' } });
    await server.configMap('b');
    const paths = [
      `${collection}?watch=1&labelSelector=app`,
      `${collection}?watch=1&fieldSelector=metadata.name%3Da`,
      '/api/v1/watch/namespaces/ns/configmaps/a',
      '/api/v1/watch/configmaps?labelSelector=app',
    ];
    const follow = async (path: string): Promise<string[]> => {
      const stream = await open(server, `${path}${path.includes('?') ? '&' : '?'}timeoutSeconds=1`);
      return (await stream.rest()).map(seen);
    };
    assert.deepEqual(
      await Promise.all(paths.map(follow)),
      paths.map(() => ['ADDED a']),
    );
  });

  it('of the deprecated path take a field selector only where it asks for the same name', async () => {
    await server.configMap('a');
    const path = '/api/v1/watch/namespaces/ns/configmaps/a?timeoutSeconds=1&fieldSelector=';
    const same = await open(server, `${path}metadata.name%3Da,metadata.namespace%3Dns`);
    assert.deepEqual((await same.rest()).map(seen), ['ADDED a']);
    for (const selector of ['metadata.name%3Db', 'metadata.namespace%3Dns', 'metadata.name!%3Da']) {
      const response = await server.send({ path: `${path}${selector}` });
      assert.deepEqual(
        [response.status, response.at('message')],
        [400, "fieldSelector metadata.name doesn't match requested name"],
      );
    }
  });

  it('refuse bad parameters with a status before the stream', async () => {
    const cases: [query: string, status: number][] = [
      ['watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=0', 422],
      ['watch=1&sendInitialEvents=true', 422],
      ['watch=1&timeoutSeconds=abc', 400],
      ['watch=1&resourceVersion=abc', 400],
      ['watch=1&labelSelector=a%20in%20b', 400],
      ['watch=1&fieldSelector=spec.x%3D1', 400],
    ];
    for (const [query, status] of cases) {
      assert.equal((await server.send({ path: `${collection}?${query}` })).status, status, query);
    }
    const yaml = await server.send({ path: `${collection}?watch=1`, headers: { accept: 'application/yaml' } });
    assert.equal(yaml.status, 406);
  });

  it('leave out the state where sendInitialEvents is false', async () => {
    await server.configMap('before');
    for (const version of ['', '&resourceVersion=0']) {
      const query = `watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan${version}`;
      const stream = await open(server, `${collection}?${query}`);
      const name = `after${version.length}`;
      await server.configMap(name);
      assert.equal(seen(await stream.next()), `ADDED ${name}`);
      stream.request.destroy();
    }
  });

  it('come as metadata and as tables', async () => {
    await server.configMap('a');
    await server.configMap('b');
    const partial = await open(server, `${collection}?watch=1`, accept('PartialObjectMetadata'));
    const event = await partial.next();
    assert.equal(event.object.kind, 'PartialObjectMetadata');
    assert.equal(event.object.data, undefined);
    partial.request.destroy();
    const table = await open(server, `${collection}?watch=1`, accept('Table'));
    assert.equal((await table.next()).object.columnDefinitions?.[0]?.name, 'Name');
    assert.equal((await table.next()).object.columnDefinitions, null);
    table.request.destroy();
  });

  it('end cleanly when the server shuts down', async () => {
    const stream = await open(server, `${collection}?watch=1`);
    server.shutdown.abort();
    assert.deepEqual(await stream.rest(), []);
    assert.equal(stream.response.complete, true);
  });

  it('work over HTTP/2', async () => {
    await server.configMap('a');
    const h2 = http2.createServer(http2Settings, server.handler);
    await new Promise<void>((resolve) => h2.listen(0, '127.0.0.1', resolve));
    const session = http2.connect(`http://127.0.0.1:${(h2.address() as AddressInfo).port}`);
    const stream = session.request({ ':path': `${collection}?watch=1&timeoutSeconds=1` });
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader];
    assert.equal(headers[':status'], 200);
    let text = '';
    for await (const chunk of stream) text += chunk;
    assert.equal(seen(JSON.parse(text)), 'ADDED a');
    session.destroy();
    h2.close();
  });
});

const objectOf = (text: string) => ({ json: Buffer.from(text) });

/** A server whose registry watches as the test says. */
function serverOf(watch: ResourceRegistry['watch']): Promise<Fixture> {
  // The other verbs are not called.
  const registry = { selectableFields: () => new Map(), watch } as unknown as ResourceRegistry;
  return startFixture({ registries: { of: () => registry } });
}

describe('watches over a registry of the test', () => {
  it('turn an error at the start into the HTTP status, however long the start takes', async () => {
    const late = async () => {
      await delay(50);
      throw new StatusError('Timeout', 'Too large resource version: 9, current: 5');
    };
    const watch = { [Symbol.asyncIterator]: () => ({ next: late }) };
    await using server = await serverOf(() => watch);
    const response = await server.send({ path: `${collection}?watch=1&resourceVersion=1` });
    assert.equal(response.status, 504);
    assert.equal(response.json()['reason'], 'Timeout');
  });

  it('turn a version that is too old into an ERROR event, which clients of Kubernetes read', async () => {
    const late = () => Promise.reject(new StatusError('Expired', 'too old resource version: 1 (5)'));
    await using server = await serverOf(() => ({ [Symbol.asyncIterator]: () => ({ next: late }) }));
    const stream = await open(server, `${collection}?watch=1&resourceVersion=1`);
    const [error, ...others] = await stream.rest();
    assert.equal(error?.type, 'ERROR');
    assert.equal(error?.object.code, 410);
    assert.deepEqual(others, []);
    assert.equal(stream.response.statusCode, 200);
    assert.equal(stream.response.complete, true);
  });

  it('turn a later error into an ERROR event and a clean end', async () => {
    const opened = newDeferred<void>();
    await using server = await serverOf(async function* () {
      yield [{ type: 'ADDED', object: objectOf('{"metadata":{"name":"a"}}') }];
      await opened.promise;
      throw new StatusError('Expired', 'fell behind');
    });
    const stream = await open(server, `${collection}?watch=1`);
    opened.resolve();
    const [added, error] = await stream.rest();
    assert.equal(added && seen(added), 'ADDED a');
    assert.equal(error?.type, 'ERROR');
    assert.equal(error?.object.code, 410);
    assert.equal(stream.response.complete, true);
  });

  it('do not show what an unexpected error says, and log it', async () => {
    const opened = newDeferred<void>();
    await using server = await serverOf(async function* () {
      yield [];
      await opened.promise;
      throw new Error('secret detail');
    });
    const stream = await open(server, `${collection}?watch=1`);
    opened.resolve();
    const [error] = await stream.rest();
    assert.equal(error?.object.code, 500);
    assert.doesNotMatch(JSON.stringify(error), /secret/);
    assert.equal(server.logged.filter(([level]) => level === 'error').length, 1);
  });

  it('end the registry side when the client goes away, and log nothing', async () => {
    let ended: (() => void) | undefined;
    const end = new Promise<void>((resolve) => (ended = resolve));
    await using server = await serverOf(async function* (scope) {
      try {
        yield [];
        await new Promise<void>((resolve) => scope.cancellation.signal.addEventListener('abort', () => resolve()));
      } finally {
        ended?.();
      }
    });
    const stream = await open(server, `${collection}?watch=1`);
    stream.request.destroy();
    await end;
    await nextTurn();
    assert.deepEqual(server.logged, []);
  });

  it('ask for no more events while the reader does not read', async () => {
    let batches = 0;
    const event: VersionedEvent = { type: 'ADDED', object: objectOf(`{"a":"${'x'.repeat(64 * 1024)}"}`) };
    await using server = await serverOf(async function* (scope) {
      while (!scope.cancellation.signal.aborted) {
        batches++;
        yield [event];
      }
    });
    const request = http.get({ host: '127.0.0.1', port: server.port, path: `${collection}?watch=1`, agent: false });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.pause();
    await delay(200);
    const before = batches;
    await delay(100);
    assert.equal(batches, before);
    assert.ok(batches < 2000, `${batches} batches of 64 KiB were taken`);
    request.on('error', () => undefined);
    request.destroy();
  });

  it('write the events of one batch in one piece', async () => {
    const read = newDeferred<void>();
    const batch = [1, 2, 3].map((n): VersionedEvent => ({ type: 'MODIFIED', object: objectOf(`{"n":${n}}`) }));
    await using server = await serverOf(async function* () {
      yield batch;
      await read.promise;
    });
    const request = http.get({ host: '127.0.0.1', port: server.port, path: `${collection}?watch=1`, agent: false });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const [first] = (await once(response, 'data')) as [Buffer];
    assert.equal(first.toString().split('\n').length, 4);
    read.resolve();
    response.resume();
  });
});
