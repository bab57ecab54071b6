import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, createServer, type Http2Server, type ServerHttp2Stream, type Settings } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { classifyError, neverSent } from '../../src/etcd/classify-error.ts';
import type { EtcdError } from '../../src/etcd/etcd-error.ts';
import { encodeTxn } from '../../src/etcd/encode-txn.ts';
import { decodeRange, decodeTxn, encodeRange } from '../../src/etcd/kv-messages.ts';
import { startLocalEtcd } from '../../src/etcd/local-etcd.ts';
import { UnaryCalls } from '../../src/etcd/grpc/unary-calls.ts';

/** The time of calls that end long before, also on a slow machine. */
const patientMs = 60_000;

const probe = encodeRange({ key: Buffer.from('/a/'), count_only: true });

describe('Calls of etcd on a connection of our own', () => {
  let etcd: Awaited<ReturnType<typeof startLocalEtcd>>;
  let dataDir: string;
  let calls: UnaryCalls;

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'cl-unary-calls-'));
    etcd = await startLocalEtcd({ dataDir });
    calls = new UnaryCalls(etcd.endpoint, undefined);
  });

  after(async () => {
    calls.close();
    await assert.rejects(calls.call('Range', probe, 1_000), /No connection established/);
    await etcd.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const range = async (key: string) =>
    decodeRange(await calls.call('Range', encodeRange({ key: Buffer.from(key) }), patientMs));
  const txn = async (key: string, expectedRevision: number, value: string | undefined) => {
    const message = encodeTxn({
      key: Buffer.from(key),
      expectedRevision,
      value: value === undefined ? undefined : Buffer.from(value),
    });
    return decodeTxn(await calls.call('Txn', message, patientMs));
  };

  it('create, update and delete a key under a condition, and tell what stands there where it does not hold', async () => {
    const created = await txn('/a/1', 0, 'one');
    assert.ok(created.succeeded);
    assert.match(created.header.cluster_id, /^[1-9]\d+$/);
    const revision = Number(created.header.revision);
    assert.equal((await txn('/a/1', 0, 'other')).succeeded, false);

    const lost = await txn('/a/1', revision + 7, 'two');
    const current = { key: '/a/1', value: Buffer.from('one'), revision, createRevision: revision };
    assert.deepEqual([lost.succeeded, lost.current], [false, current]);
    assert.ok((await txn('/a/1', revision, 'two')).succeeded);
    assert.equal((await range('/a/1')).values[0]?.value.toString(), 'two');

    assert.ok((await txn('/a/1', revision + 1, undefined)).succeeded);
    assert.deepEqual(await range('/a/1').then(({ values, count }) => [values, count]), [[], 0]);
    assert.deepEqual((await txn('/a/1', revision + 1, 'three')).current, undefined);
  });

  it('answer an empty value, and one that is larger than a window', async () => {
    const large = 'x'.repeat(1_200_000);
    for (let i = 0; i < 8; i++) await txn(`/b/${i}`, 0, large);
    await txn('/b/9', 0, '');
    const message = encodeRange({ key: Buffer.from('/b/'), range_end: Buffer.from('/b0') });
    const { values, count } = decodeRange(await calls.call('Range', message, patientMs));
    assert.equal(count, 9);
    assert.ok(values.slice(0, 8).every(({ value }) => value.toString() === large));
    assert.equal(values[8]?.value.length, 0);
  });

  it('carry many at once on one connection', async () => {
    const created = await Promise.all(Array.from({ length: 400 }, (_, i) => txn(`/c/${i}`, 0, String(i))));
    assert.equal(new Set(created.map(({ header }) => header.revision)).size, 400);
  });

  it('fail with the words of etcd', async () => {
    const future = encodeRange({ key: Buffer.from('/a/'), revision: 1_000_000 });
    await assert.rejects(calls.call('Range', future, patientMs), /^GrpcError: 11 OUT_OF_RANGE: .*is a future revision/);
    const lease = encodeTxn({ key: Buffer.from('/d'), expectedRevision: 0, value: Buffer.from('x'), lease: '77' });
    const failure = await calls.call('Txn', lease, patientMs).catch((error: unknown) => classifyError(error, 'write'));
    assert.equal((failure as EtcdError).code, 'unknownLease');
  });
});

describe('A call of etcd that fails', () => {
  afterEach(closeAll);

  it('was never sent where nobody listens', async () => {
    const calls = openCalls('http://127.0.0.1:1');
    const failure = await failureOf(calls);
    assert.ok(failure.code === 'unavailable' && neverSent(failure));
    assert.match(failure.message, /127\.0\.0\.1:1/);
  });

  const failures: readonly {
    readonly what: string;
    readonly respond: (stream: ServerHttp2Stream) => void;
    readonly code: string;
    readonly sent: boolean;
  }[] = [
    {
      what: 'was refused before anybody looked at it',
      respond: (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
      code: 'unavailable',
      sent: false,
    },
    {
      what: 'was broken off',
      respond: (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
      code: 'unknownOutcome',
      sent: true,
    },
    {
      what: 'lost its connection',
      respond: (stream) => stream.session?.destroy(),
      code: 'unknownOutcome',
      sent: true,
    },
    {
      what: 'met a proxy',
      respond: (stream) => stream.respond({ ':status': 503 }, { endStream: true }),
      code: 'unknownOutcome',
      sent: true,
    },
    {
      what: 'was answered with a failure and nothing else',
      respond: (stream) => {
        const failure = { 'grpc-status': '8', 'grpc-message': 'etcdserver: mvcc: database%20space exceeded' };
        stream.respond({ ':status': 200, ...failure }, { endStream: true });
      },
      code: 'noSpace',
      sent: true,
    },
  ];
  for (const { what, respond, code, sent } of failures) {
    it(`${what}: ${code}`, async () => {
      const server = await openServer(respond);
      const calls = openCalls(addressOf(server));
      const failure = await failureOf(calls);
      assert.deepEqual([failure.code, neverSent(failure)], [code, !sent]);
    });
  }

  for (const [what, body] of [
    ['no message', Buffer.alloc(0)],
    ['half a message', Buffer.from([0, 0, 0, 0, 9, 0x0a, 4])],
    ['a message without a header', Buffer.from([0, 0, 0, 0, 0])],
    ['a header that is cut off', Buffer.from([0, 0, 0, 0, 2, 0x0a, 9])],
  ] as const) {
    it(`leaves open what happened where success has ${what}`, async () => {
      const server = await openServer((stream) => {
        respondWith(stream, body);
      });
      const calls = openCalls(addressOf(server));
      const respond = await calls.call('Txn', probe, patientMs);
      for (const decode of [decodeRange, decodeTxn]) assert.throws(() => decode(respond), { name: 'MessageError' });
    });
  }

  it('gives up on who says nothing, and calls on a new connection; others on the old one are still answered', async () => {
    let sessions = 0;
    const streams: ServerHttp2Stream[] = [];
    const server = await openServer((stream) => streams.push(stream));
    server.on('session', () => sessions++);
    const calls = openCalls(addressOf(server));
    const first = calls.call('Txn', probe, 200);
    const patient = calls.call('Txn', probe, patientMs);
    await assert.rejects(first, /4 DEADLINE_EXCEEDED/);
    assert.equal((await failureOf(calls, 100)).code, 'unknownOutcome');
    assert.equal(sessions, 2);
    const answered = streams[1];
    if (answered) respondWith(answered, 'late');
    assert.equal((await patient).toString(), 'late');
  });
});

describe('A call, and the limits of the other side', () => {
  afterEach(closeAll);

  /** Answers each call with the number of its bytes, a turn later. */
  const count = (stream: ServerHttp2Stream): void => {
    let bytes = 0;
    stream.on('data', (piece: Buffer) => (bytes += piece.length));
    stream.on('end', () => setImmediate(() => respondWith(stream, String(bytes))));
  };

  it('sends no more than the windows take, and goes on when they open', async () => {
    const server = await openServer(count, { initialWindowSize: 1_000, maxFrameSize: 16_384 });
    const calls = openCalls(addressOf(server));
    const sizes = [900, 70_000, 1, 300_000, 1_001];
    // The first one begins before the settings are known.
    await calls.call('Txn', probe, patientMs);
    const responses = await Promise.all(sizes.map((size) => calls.call('Txn', Buffer.alloc(size), patientMs)));
    assert.deepEqual(responses.map(String), sizes.map(String));
  });

  it('has no more calls open than it may, and the others wait', async () => {
    let [open, most] = [0, 0];
    const server = await openServer(
      (stream) => {
        most = Math.max(most, ++open);
        stream.on('close', () => open--);
        count(stream);
      },
      { maxConcurrentStreams: 2 },
    );
    const calls = openCalls(addressOf(server));
    await calls.call('Txn', probe, patientMs);
    await Promise.all(Array.from({ length: 20 }, () => calls.call('Txn', probe, patientMs)));
    assert.equal(most, 2);
  });

  it('finishes on a connection that is going away, and calls on the next', async () => {
    let sessions = 0;
    const held: ServerHttp2Stream[] = [];
    const server = await openServer((stream) => {
      if (sessions > 1) return respondWith(stream, 'second');
      held.push(stream);
      stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 2 ** 31 - 1);
    });
    server.on('session', () => sessions++);
    const calls = openCalls(addressOf(server));
    const first = calls.call('Txn', probe, patientMs);
    while (held.length === 0) await sleep(5);
    await sleep(20);
    assert.equal(String(await calls.call('Txn', probe, patientMs)), 'second');
    for (const stream of held) respondWith(stream, 'first');
    assert.equal(String(await first), 'first');
  });

  it('understands every character of a message, compressed or not', async () => {
    const text = Array.from({ length: 95 }, (_, i) => String.fromCodePoint(32 + i)).join('');
    for (const message of [text, text.repeat(5), 'ab', '', '\\\\']) {
      const server = await openServer((stream) => {
        const failure = { 'grpc-status': '3', 'grpc-message': encodeURIComponent(message), 'x-bin': message };
        stream.respond({ ':status': 200, ...failure }, { endStream: true });
      });
      const calls = openCalls(addressOf(server));
      await assert.rejects(calls.call('Txn', probe, 1_000), { message: `3 INVALID_ARGUMENT: ${message}` });
    }
  });
});

function respondWith(stream: ServerHttp2Stream, body: string | Buffer): void {
  stream.respond({ ':status': 200 }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(body);
}

/** How a write is told apart that went wrong. */
async function failureOf(calls: UnaryCalls, timeoutMs = 2_000): Promise<EtcdError> {
  try {
    await calls.call('Txn', probe, timeoutMs);
  } catch (error) {
    return classifyError(error, 'write');
  }
  return assert.fail('the call succeeded');
}

/** What the running test has opened. It is closed when the test has failed, too: what stays open keeps the process alive. */
const opened: (() => void)[] = [];

function closeAll(): void {
  for (const close of opened.splice(0)) close();
}

function openCalls(address: string): UnaryCalls {
  const calls = new UnaryCalls(address, undefined);
  opened.push(() => calls.close());
  return calls;
}

async function openServer(respond: (stream: ServerHttp2Stream) => void, settings: Settings = {}): Promise<Http2Server> {
  const server = createServer({ settings });
  opened.push(() => server.close());
  server.on('session', (session) => opened.push(() => session.destroy()));
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    respond(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

// The address of a listening TCP server is an AddressInfo.
function addressOf(server: Http2Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
