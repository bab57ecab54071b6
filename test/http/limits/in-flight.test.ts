import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, readEvents, request, type Target } from '../http-client.ts';
import { until } from '../until.ts';
import { head, openHttp1, openHttp2, openStream, statusOf, textMatching } from './raw-clients.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const tokens = [{ token: 'user', username: 'ann', groups: ['dev'] }];
/** Without flow control, whose levels would share these limits. */
const limits = {
  priorityAndFairness: false,
  maxRequestsInFlight: 2,
  maxMutatingRequestsInFlight: 2,
  maxWatchesInFlight: 2,
};
const body = (name: string): string => `{"metadata":{"name":"${name}"}}`;

function checkRefusal(response: HttpResponse): void {
  assert.equal(response.status, 429, response.text);
  assert.equal(response.headers['retry-after'], '1');
  const { reason, code } = response.body as { reason: string; code: number };
  assert.deepEqual({ reason, code }, { reason: 'TooManyRequests', code: 429 });
}

describe('the bounds on requests in flight', () => {
  let server: TestServer;
  let user: Target;
  beforeEach(async () => {
    server = await startServer({ ...limits, tokens });
    user = { url: server.url, ca: server.ca, token: 'user' };
  });
  afterEach(() => server.stop());

  /** Begins a creation and leaves its body unfinished until the returned function is called, which answers its status line. */
  async function openCreate(name: string): Promise<() => Promise<string>> {
    const socket = await openHttp1(user);
    const text = body(name);
    // The server asks for the body once the request has its place.
    const expect = 'Expect: 100-continue\r\nContent-Type: application/json\r\n';
    socket.write(head(user, 'POST', maps, `${expect}Content-Length: ${text.length}\r\n`));
    await textMatching(socket, /^HTTP\/1\.1 100/);
    return async () => {
      const answered = textMatching(socket, /^HTTP\/1\.1 \d/);
      socket.write(text);
      const response = await answered;
      socket.destroy();
      return response.slice(0, 12);
    };
  }

  it('refuse a write beyond theirs with 429, whatever the protocol, and neither reads nor watches nor administrators', async () => {
    const finish = [await openCreate('a'), await openCreate('b')];
    checkRefusal(await request(user, 'POST', maps, body('c')));
    const session = await openHttp2(user);
    assert.equal(await statusOf(openStream(user, session, { ':method': 'DELETE', ':path': `${maps}/x` })), 429);
    session.destroy();
    assert.equal((await request(user, 'GET', maps)).status, 200);
    const watch = readEvents(user, `${maps}?watch=1`);
    await until('the watch to be open', () => watch.status === 200);
    watch.stop();
    assert.equal((await request(server, 'POST', maps, body('admin'))).status, 201);
    assert.deepEqual(await Promise.all(finish.map((end) => end())), ['HTTP/1.1 201', 'HTTP/1.1 201']);
    await until('a place to be free', async () => (await request(user, 'POST', maps, body('c'))).status === 201);
  });

  it('refuse a watch beyond theirs, and take another when one has gone', async () => {
    const watches = [readEvents(user, `${maps}?watch=1`), readEvents(user, `${maps}?watch=1`)];
    await until('the watches to be open', () => watches.every(({ status }) => status === 200));
    checkRefusal(await request(user, 'GET', `${maps}?watch=1&timeoutSeconds=1`));
    assert.equal((await request(user, 'GET', maps)).status, 200);
    watches[0]?.stop();
    await until('a place to be free', async () => {
      const { status } = await request(user, 'GET', `${maps}?watch=1&timeoutSeconds=1`);
      return status === 200;
    });
    watches[1]?.stop();
  });

  it('count probes of health for nothing', async () => {
    const readers = await Promise.all([1, 2].map(() => openHttp1(user)));
    // A revision of the future is waited for.
    for (const socket of readers) socket.write(head(user, 'GET', `${maps}?resourceVersion=99999999`));
    await until('the places to be taken', async () => (await request(user, 'GET', '/version')).status === 429);
    for (const path of ['/healthz', '/livez', '/readyz', '/livez/ping']) {
      assert.notEqual((await request(user, 'GET', path)).status, 429, path);
    }
    for (const socket of readers) socket.destroy();
  });

  it('leave no place taken behind bodies that were unfinished at the deadline of their requests', async () => {
    await using hasty = await startServer({ ...limits, tokens, requestTimeoutMs: 300, maxBodyBytes: 70_000 });
    const client = { url: hasty.url, ca: hasty.ca, token: 'user' };
    const responses: Promise<string>[] = [];
    for (let i = 0; i < limits.maxMutatingRequestsInFlight; i++) {
      const socket = await openHttp1(client);
      responses.push(textMatching(socket, /^HTTP\/1\.1 504 /));
      const length = 'Content-Length: 30000\r\nContent-Type: application/json\r\n';
      socket.write(head(client, 'POST', maps, length) + ' '.repeat(20_000));
    }
    await Promise.all(responses);
    const object = { metadata: { name: 'c' }, data: { a: 'x'.repeat(40_000) } };
    await until('places and bytes to be free', async () => {
      return (await request(client, 'POST', maps, object)).status === 201;
    });
  });

  it('leave no place taken behind requests that end badly', async () => {
    for (let i = 0; i < 8; i++) {
      const socket = await openHttp1(user);
      const create = head(user, 'POST', maps, 'Content-Length: 99\r\nContent-Type: application/json\r\n');
      const read = head(user, 'GET', `${maps}?resourceVersion=99999999`);
      // Of those behind the first one of a connection, Node says nothing when it breaks.
      socket.write(i % 2 === 0 ? `${read}${read}${head(user, 'GET', maps)}` : `${read}${create}{`);
      const session = await openHttp2(user);
      const streams = [
        openStream(user, session, { ':path': `${maps}?resourceVersion=99999999` }),
        // Of a reset HEAD, Node's response says nothing.
        openStream(user, session, { ':method': 'HEAD', ':path': `${maps}?resourceVersion=99999999` }),
        openStream(user, session, { ':method': 'POST', ':path': maps, 'content-type': 'application/json' }, false),
        openStream(user, session, { ':path': `${maps}?watch=1` }),
        openStream(user, session, { ':method': 'HEAD', ':path': `${maps}?watch=1` }),
      ];
      streams[2]?.write('{');
      await until('the places to be taken', async () => (await request(user, 'GET', maps)).status === 429);

      if (i % 3 === 0) for (const stream of streams) stream.close(8);
      else session.destroy();
      socket.destroy();
    }
    const all = async (): Promise<number[]> => {
      const name = `n${performance.now()}`;
      const [read, write] = await Promise.all([request(user, 'GET', maps), request(user, 'POST', maps, body(name))]);
      const watch = await request(user, 'GET', `${maps}?watch=1&timeoutSeconds=1`);
      return [read.status, write.status, watch.status];
    };
    // Both places of each sort.
    await until('every place to be free', async () =>
      (await Promise.all([all(), all()])).flat().every((status) => status < 300),
    );
  });
});
