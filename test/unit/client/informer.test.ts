import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GenericObject } from '../../../src/client/api-object.ts';
import { type Client, createClient } from '../../../src/client/client.ts';
import type { InformerHandlers } from '../../../src/client/informers/informer.ts';
import { createInformerFactory, type InformerFactoryOptions } from '../../../src/client/informers/informer-factory.ts';
import { hasReason } from '../../../src/client/error-of-response.ts';
import { answer, startTlsServer, type TlsServer } from '../outbound/start-tls-server.ts';

const reference = { group: '', version: 'v1', resource: 'secrets', namespaced: true } as const;

const secret = (name: string, resourceVersion: string, uid = name) => ({
  metadata: { name, namespace: 'n', resourceVersion, uid },
});
const send = (response: ServerResponse, type: string, object: unknown): void => {
  response.write(`${JSON.stringify({ type, object })}\n`);
};

describe('an informer', () => {
  let server: TlsServer;
  let client: Client;
  let stop: AbortController;
  let log: string[];
  let listed: { version: string; items: unknown[] };
  /** One a watch request, in order; the last is used again. */
  let watches: ((response: ServerResponse) => void)[];

  before(async () => {
    server = await startTlsServer();
  });
  after(() => server.stop());
  beforeEach(() => {
    client = createClient(server.settings);
    stop = new AbortController();
    log = [];
    server.seen.length = 0;
    server.handle = ({ url }, response) => {
      if (!url.includes('watch=true')) {
        answer(response, 200, { metadata: { resourceVersion: listed.version }, items: listed.items });
        return;
      }
      response.flushHeaders();
      const script = watches.length > 1 ? watches.shift() : watches[0];
      script?.(response);
    };
  });
  afterEach(async () => {
    stop.abort();
    await client.close();
  });

  const logged: InformerHandlers<GenericObject> = {
    add: ({ metadata }) => log.push(`add ${metadata?.name}@${metadata?.resourceVersion}`),
    update: ({ metadata }, old) =>
      log.push(`update ${metadata?.name}@${old.metadata?.resourceVersion}>${metadata?.resourceVersion}`),
    delete: ({ metadata }, isFinal) =>
      log.push(`delete ${metadata?.name}@${metadata?.resourceVersion}${isFinal ? '' : ' not final'}`),
  };
  const createFactory = (options: Partial<InformerFactoryOptions> = {}) =>
    createInformerFactory(client, { signal: stop.signal, backoff: { initialMs: 1, maximumMs: 5 }, ...options });
  const start = (options: Partial<InformerFactoryOptions> = {}, handlers: InformerHandlers<GenericObject> = logged) => {
    const informer = createFactory(options).informer(reference);
    informer.subscribe(handlers);
    return informer;
  };
  const until = async (condition: () => boolean) => {
    for (const end = performance.now() + 120_000; !condition(); ) {
      assert.ok(performance.now() < end, `it did not come; seen: ${log.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const urls = (pattern: RegExp) => server.seen.map(({ url }) => url).filter((url) => pattern.test(url));

  it('lists, then follows the watch from the version of the list', async () => {
    listed = { version: '5', items: [secret('a', '3'), secret('b', '4')] };
    watches = [
      (response) => {
        send(response, 'ADDED', secret('c', '6'));
        send(response, 'MODIFIED', secret('a', '7'));
        send(response, 'DELETED', secret('b', '8'));
      },
    ];
    const informer = start();
    await informer.synced();
    assert.deepEqual(log.slice(0, 2), ['add a@3', 'add b@4']);
    await until(() => log.length === 5);
    assert.deepEqual(log.slice(2), ['add c@6', 'update a@3>7', 'delete b@8']);
    assert.deepEqual(
      informer.list().map(({ metadata }) => metadata?.name),
      ['a', 'c'],
    );
    assert.equal(informer.get('a', 'n')?.metadata?.resourceVersion, '7');
    assert.match(urls(/watch/)[0] ?? '', /resourceVersion=5&allowWatchBookmarks=true&timeoutSeconds=\d+/);
  });

  it('resumes a watch that ended from the last version it saw, bookmarks included', async () => {
    listed = { version: '5', items: [] };
    watches = [
      (response) => {
        send(response, 'ADDED', secret('a', '6'));
        send(response, 'BOOKMARK', { metadata: { resourceVersion: '9' } });
        response.end();
      },
      (response) => send(response, 'MODIFIED', secret('a', '10')),
    ];
    start();
    await until(() => log.length === 2);
    assert.deepEqual(log, ['add a@6', 'update a@6>10']);
    assert.match(urls(/watch/)[1] ?? '', /resourceVersion=9&/);
    assert.equal(urls(/limit/).length, 1);
  });

  it('lists again when its version is too old, and reports the differences', async () => {
    listed = { version: '5', items: [secret('a', '3'), secret('b', '4'), secret('c', '5')] };
    const errors: unknown[] = [];
    watches = [
      (response) => {
        listed = { version: '20', items: [secret('a', '3'), secret('b', '15'), secret('c', '18', 'another')] };
        send(response, 'ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });
        response.end();
      },
      () => {},
    ];
    start({ onError: (error) => errors.push(error) });
    await until(() => log.length === 6);
    assert.deepEqual(log.slice(3), ['update b@4>15', 'delete c@5 not final', 'add c@18']);
    assert.equal(errors.length, 1);
  });

  it('outlives a server that is away', async () => {
    listed = { version: '5', items: [secret('a', '3')] };
    watches = [
      (response) => void response.socket?.destroy(),
      (response) => send(response, 'DELETED', secret('a', '6')),
    ];
    start();
    await until(() => log.length === 2);
    assert.deepEqual(log, ['add a@3', 'delete a@6']);
    assert.equal(urls(/limit/).length, 1, 'no second list');
  });

  it('resumes a watch that worked and was reset at once, however often', async () => {
    listed = { version: '5', items: [] };
    let version = 5;
    watches = [
      (response) => {
        send(response, 'ADDED', secret(`s${version}`, String(++version)));
        // The event is sent first.
        setImmediate(() => response.socket?.destroy());
      },
    ];
    // A wait between the watches would never end.
    start({ backoff: { initialMs: 1e9, maximumMs: 1e9 } });
    await until(() => log.length >= 12);
    assert.equal(urls(/limit/).length, 1, 'no second list');
  });

  it('resumes a watch that lasted and was reset without an event at once', async () => {
    listed = { version: '5', items: [] };
    watches = [
      (response) => void setTimeout(() => response.socket?.destroy(), 1100),
      (response) => send(response, 'ADDED', secret('a', '6')),
    ];
    start({ backoff: { initialMs: 1e9, maximumMs: 1e9 } });
    await until(() => log.length === 1);
  });

  it('waits before it resumes a watch whose events do not advance its version', async () => {
    listed = { version: '5', items: [] };
    watches = [
      (response) => {
        send(response, 'BOOKMARK', { metadata: { resourceVersion: '5' } });
        response.end();
      },
    ];
    start({ backoff: { initialMs: 1e9, maximumMs: 1e9 } });
    await until(() => urls(/watch/).length === 1);
    await sleep(50);
    assert.equal(urls(/watch/).length, 1);
  });

  it('lists again when the kind is absent and the response is not a Status, and then when it is there', async () => {
    listed = { version: '5', items: [secret('a', '3')] };
    const { handle } = server;
    watches = [
      (response) => {
        // The kind goes with its objects.
        server.handle = (_, answered) => void answered.writeHead(404).end('404 page not found');
        response.socket?.destroy();
      },
      () => {},
    ];
    const errors: unknown[] = [];
    start({ onError: (error) => errors.push(error) });
    await until(() => errors.some((error) => hasReason(error, 'NotFound')));
    listed = { version: '9', items: [secret('b', '8')] };
    server.handle = handle;
    await until(() => log.length === 3);
    assert.deepEqual(log, ['add a@3', 'add b@8', 'delete a@3 not final']);
  });

  it('reports the rejected promises of handlers', async () => {
    listed = { version: '5', items: [secret('a', '3')] };
    watches = [(response) => send(response, 'DELETED', secret('a', '6'))];
    const errors: unknown[] = [];
    const fail = (what: string) => () => Promise.reject(new Error(what));
    start({ onError: (error) => errors.push(error) }, { add: fail('added'), delete: fail('deleted') });
    await until(() => errors.length === 2);
    assert.deepEqual(errors.map(String), ['Error: added', 'Error: deleted']);
  });

  it('is not stopped by a handler that throws', async () => {
    listed = { version: '5', items: [secret('a', '3'), secret('b', '4')] };
    watches = [() => {}];
    const errors: unknown[] = [];
    const informer = start(
      { onError: (error) => errors.push(error) },
      {
        add: () => {
          throw new Error('bug');
        },
      },
    );
    await informer.synced();
    assert.equal(errors.length, 2);
    assert.equal(informer.list().length, 2);
  });

  it('tells deletions that happened while disconnected, with the last known state', async () => {
    listed = { version: '5', items: [secret('a', '3'), secret('b', '4')] };
    watches = [
      (response) => {
        listed = { version: '20', items: [secret('b', '4')] };
        send(response, 'ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });
        response.end();
      },
      () => {},
    ];
    const informer = start();
    await until(() => log.length === 3);
    assert.deepEqual(log[2], 'delete a@3 not final');
    assert.equal(informer.list().length, 1);
  });

  it('is shared by all readers of one selection, and gives late ones the present objects', async () => {
    listed = { version: '5', items: [secret('a', '3')] };
    watches = [() => {}];
    const factory = createFactory();
    const [one, other] = [factory.informer(reference), factory.informer(reference)];
    assert.equal(one, other);
    assert.notEqual(one, factory.informer(reference, { labelSelector: 'a=b' }));
    await factory.synced();
    other.subscribe(logged);
    assert.deepEqual(log, ['add a@3']);
    await until(() => urls(/watch/).length === 2);
    assert.equal(urls(/limit/).length, 2, 'one list for each selection');
  });

  it('stops with its last reader, and starts again for the next', async () => {
    listed = { version: '5', items: [] };
    let closed = 0;
    watches = [(response) => response.on('close', () => closed++)];
    const factory = createFactory();
    const readers = [new AbortController(), new AbortController()];
    const [informer] = readers.map(({ signal }) => factory.informer(reference, { signal }));
    await informer?.synced();
    await until(() => urls(/watch/).length === 1);
    readers[0]?.abort();
    const waiting = assert.rejects(informer?.waitFor('99') ?? Promise.resolve());
    readers[1]?.abort();
    await waiting;
    await until(() => closed === 1);
    assert.notEqual(factory.informer(reference), informer);
  });

  it('waits until a version has been seen', async () => {
    listed = { version: '5', items: [] };
    let open: ServerResponse | undefined;
    watches = [(response) => void (open = response)];
    const informer = start();
    await informer.waitFor('4');
    await until(() => open !== undefined);
    let seen = false;
    const waiting = informer.waitFor('10').then(() => (seen = true));
    if (open) send(open, 'ADDED', secret('a', '9'));
    await until(() => log.length === 1);
    assert.equal(seen, false);
    if (open) send(open, 'BOOKMARK', { metadata: { resourceVersion: '11' } });
    await waiting;
    await assert.rejects(informer.waitFor('12', AbortSignal.abort(new Error('enough'))), /enough/);
  });

  it('replaces a watch on which nothing arrives, without a new list', async () => {
    listed = { version: '5', items: [secret('a', '3')] };
    watches = [() => {}, (response) => send(response, 'DELETED', secret('a', '6'))];
    start({ idleTimeoutMs: 50 });
    await until(() => log.length === 2);
    assert.equal(urls(/limit/).length, 1, 'no second list');
  });

  it('finds objects by namespace, label and index', async () => {
    const labelled = { metadata: { ...secret('b', '4').metadata, namespace: 'other', labels: { app: 'web' } } };
    listed = { version: '5', items: [secret('a', '3'), labelled] };
    let open: ServerResponse | undefined;
    watches = [(response) => void (open = response)];
    const informer = start();
    await informer.synced();
    const names = (objects: readonly GenericObject[]) => objects.map(({ metadata }) => metadata?.name);
    informer.addIndex('version', ({ metadata }) => [metadata?.resourceVersion ?? '']);
    assert.deepEqual(names(informer.list({ namespace: 'n' })), ['a']);
    assert.deepEqual(names(informer.list({ labelSelector: 'app in (web)' })), ['b']);
    assert.deepEqual(names(informer.byIndex('version', '3')), ['a']);
    await until(() => open !== undefined);
    if (open) send(open, 'MODIFIED', secret('a', '6'));
    await until(() => log.length === 3);
    assert.deepEqual(names(informer.byIndex('version', '3')), []);
    assert.deepEqual(names(informer.byIndex('version', '6')), ['a']);
    assert.throws(() => informer.byIndex('none', 'a'), TypeError);
  });

  it('reads only the metadata of any kind', async () => {
    listed = { version: '5', items: [secret('a', '3')] };
    watches = [() => {}];
    const informer = createFactory().metadataInformer(reference);
    await informer.synced();
    await until(() => server.seen.length === 2);
    const [list, watch] = server.seen.map(({ headers }) => headers.accept ?? '');
    assert.match(list ?? '', /as=PartialObjectMetadataList;g=meta\.cl\.io;v=v1,.*g=meta\.k8s\.io/);
    assert.match(watch ?? '', /as=PartialObjectMetadata;g=meta\.cl\.io;v=v1,/);
  });

  it('has the metadata of whole objects that are watched already, with the same watch', async () => {
    listed = { version: '5', items: [secret('a', '3')] };
    watches = [() => {}];
    const factory = createFactory();
    const whole = factory.informer(reference);
    const reader = new AbortController();
    const metadata = factory.metadataInformer(reference, { signal: reader.signal });
    await metadata.synced();
    assert.deepEqual(metadata.list(), whole.list());
    await until(() => server.seen.length === 2);
    reader.abort();
    // It goes on for the readers of whole objects.
    await whole.waitFor('5');
    assert.equal(server.seen.length, 2);
  });
});
