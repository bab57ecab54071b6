import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { head, openHttp1, openHttp2, openStream, statusOf } from './raw-clients.ts';

const maps = '/api/v1/namespaces/default/configmaps';
/** Together more than the buffers of a connection take, on both of its sides. */
const objects = 6;
const stuckReaderMs = 600;

async function start(options: TestServerOptions, count = objects): Promise<TestServer> {
  const server = await startServer(options);
  for (let i = 0; i < count; i++) {
    const object = { metadata: { name: `large-${i}` }, data: { large: 'x'.repeat(1_000_000) } };
    assert.equal((await request(server, 'POST', maps, object)).status, 201);
  }
  return server;
}

interface StoppedReader {
  readonly status: number;
  readonly isCut: () => boolean;
  readonly destroy: () => void;
}

/** Asks for a path on a connection of its own and reads no more than the beginning; tells when the server has cut it. */
async function stop(
  server: TestServer,
  protocol: string,
  path: string,
  accept = 'application/json',
): Promise<StoppedReader> {
  let isCut = false;
  if (protocol === 'HTTP/1.1') {
    const socket = await openHttp1(server);
    socket.write(head(server, 'GET', path, `Accept: ${accept}\r\n`));
    const [first] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown];
    socket.pause();
    // What has come is in front of the end, and a paused socket says nothing of it. Empty lines before a request are valid.
    return {
      status: Number(/^HTTP\/1\.1 (\d+)/.exec(String(first))?.[1]),
      isCut: () => {
        if (!isCut) socket.write('\r\n');
        isCut ||= socket.destroyed;
        return isCut;
      },
      destroy: () => socket.destroy(),
    };
  }
  const session = await openHttp2(server);
  const stream = openStream(server, session, { ':path': path, accept });
  stream.once('close', () => (isCut = true));
  const status = await statusOf(stream);
  return { status, isCut: () => isCut, destroy: () => session.destroy() };
}

/** Paths, and the formats if they are other ones than JSON. */
const responses: Readonly<Record<string, readonly [path: string, accept?: string]>> = {
  'a list': [maps],
  'an indented list': [`${maps}?pretty=1`],
  'a list in YAML': [maps, 'application/yaml'],
  'a table': [`${maps}?includeObject=Object`, 'application/json;as=Table;v=v1;g=meta.cl.io'],
  'a watch': [`${maps}?watch=1&resourceVersion=0`],
};

describe('a reader that takes nothing of its answer', () => {
  describe('is cut when it has taken nothing for too long', () => {
    let server: TestServer;
    before(async () => {
      server = await start({ stuckReaderMs });
    });
    after(() => server.stop());
    for (const protocol of ['HTTP/1.1', 'HTTP/2']) {
      for (const [what, [path, accept]] of Object.entries(responses)) {
        it(`of ${what} over ${protocol}`, async () => {
          const readers = await Promise.all([1, 2].map(() => stop(server, protocol, path, accept)));
          assert.ok(readers.every(({ status }) => status === 200));
          await until('every one to be cut', () => readers.every(({ isCut }) => isCut()));
        });
      }
    }

    it('and is let alone while it takes something, however slowly', async () => {
      // Long enough for a machine that stands still in between.
      const patientMs = 3_000;
      await using patient = await start({ stuckReaderMs: patientMs });
      const socket = await openHttp1(patient);
      socket.write(head(patient, 'GET', `${maps}?watch=1&resourceVersion=0&timeoutSeconds=120`));
      let bytes = 0;
      socket.on('data', (piece: Buffer) => (bytes += piece.length));
      // A million bytes at a time: the next ones are taken before too long has passed.
      const all = (): boolean => bytes >= objects * 1_000_000;
      while (!all()) {
        const from = bytes;
        socket.resume();
        await until('something to come', () => bytes > from + 500_000 || all());
        socket.pause();
        // All pauses together are longer than one of them may be.
        await sleep(patientMs / 5);
      }
      socket.destroy();
    });
  });

  it('is cut when the time of its request is over, whatever it has taken', async () => {
    // The time of readers is looked at every two seconds, and is itself much longer.
    await using server = await start({ stuckReaderMs: 16_000 });
    /** A reader whose response has begun: on a slow machine there is more time for it. */
    const begun = async (protocol: string, seconds = 2): Promise<StoppedReader> => {
      const reader = await stop(server, protocol, `${maps}?pretty=1&timeout=${seconds}s`);
      if (reader.status === 200) return reader;
      reader.destroy();
      return begun(protocol, seconds * 2);
    };
    const readers = await Promise.all(['HTTP/1.1', 'HTTP/2'].map((protocol) => begun(protocol)));
    await until('both to be cut', () => readers.every(({ isCut }) => isCut()));
  });

  it('takes part of a budget, beyond which reads are refused with 429 and writes are not', async () => {
    await using server = await start({ maxAnswerBytes: 1_300_000 });
    const readers = await Promise.all(['HTTP/1.1', 'HTTP/2'].map((way) => stop(server, way, `${maps}?pretty=1`)));
    assert.ok(readers.every(({ isCut }) => !isCut()));
    const refused = await request(server, 'GET', `${maps}?pretty=1`);
    assert.equal(refused.status, 429, refused.text.slice(0, 200));
    assert.equal(refused.headers['retry-after'], '1');
    const object = { metadata: { name: 'more' }, data: { large: 'x'.repeat(1_000_000) } };
    assert.equal((await request(server, 'POST', `${maps}?pretty=1`, object)).status, 201);
    assert.equal((await request(server, 'GET', `${maps}/none`)).status, 404);
    for (const { destroy } of readers) destroy();
  });

  it('of a watch holds the object that it takes next, not all of the first ones', async () => {
    const count = 16;
    await using server = await start({}, count);
    const before = process.memoryUsage().arrayBuffers;
    const watches = ['HTTP/1.1', 'HTTP/2', 'HTTP/1.1', 'HTTP/2', 'HTTP/1.1', 'HTTP/2'];
    const path = `${maps}?watch=1&resourceVersion=0`;
    const readers = await Promise.all(watches.map((way) => stop(server, way, path)));
    // A second is enough for all of them to be encoded.
    await sleep(1_000);
    const bytes = process.memoryUsage().arrayBuffers - before;
    assert.ok(bytes < (watches.length * count * 1_000_000) / 2, `${bytes} bytes`);
    for (const { destroy } of readers) destroy();
  });

  it('of a watch takes part of the budget, beyond which another watch ends with 429', async () => {
    await using server = await start({ maxAnswerBytes: 1_300_000 });
    const path = `${maps}?watch=1&resourceVersion=0`;
    const reader = await stop(server, 'HTTP/1.1', path);
    await until('the budget to be used', async () => (await request(server, 'GET', `${maps}?pretty=1`)).status === 429);
    // Its chunks are larger than what a connection takes at once.
    const ended = await request(server, 'GET', path);
    const last = JSON.parse(ended.text.trim().split('\n').at(-1) ?? '') as { type: string; object: { code: number } };
    assert.deepEqual([last.type, last.object.code], ['ERROR', 429]);
    reader.destroy();
  });

  it('over HTTP/2 leaves no watcher behind when it resets its watch', async () => {
    await using server = await startServer();
    const open = 'apiserver_registered_watchers{group="",kind="ConfigMap",version="v1"}';
    const session = await openHttp2(server);
    const streams = [1, 2, 3].map(() => openStream(server, session, { ':path': `${maps}?watch=1` }));
    assert.deepEqual(await Promise.all(streams.map(statusOf)), [200, 200, 200]);
    await until('the watchers to be there', async () => (await readMetrics(server)).get(open) === 3);
    for (const stream of streams) stream.close(8);
    await until('the watchers to be gone', async () => ((await readMetrics(server)).get(open) ?? 0) === 0);
    session.destroy();
  });
});
