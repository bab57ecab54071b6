import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../../src/pki/issue-certificate.ts';
import { longestBlockMs, measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';
import { request } from '../http-client.ts';
import { patchWith, respond, rule, startWebhookWorld, type WebhookFields, type WebhookWorld } from './webhook-world.ts';
import { until } from '../until.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const merge = { 'content-type': 'application/merge-patch+json' };
const megabyte = Buffer.alloc(1024 * 1024, ' ');

/** A gigabyte of spaces, compressed. */
const gzipBomb = Buffer.concat(
  Array.from({ length: 16 }).fill(gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))) as Buffer[],
);

/** Does something until the connection is lost. */
function repeat(socket: Socket, everyMs: number, work: () => void): void {
  const timer = setInterval(work, everyMs);
  socket.on('error', () => {});
  socket.on('close', () => clearInterval(timer));
}

/** The connection of a response, for bytes that no server of HTTP would send. */
function socketOf({ socket }: ServerResponse): Socket {
  assert.ok(socket);
  return socket;
}

/** Writes until the reader closes the connection. */
function flood(socket: Socket, chunk: Buffer | string): void {
  const next = (): void => {
    while (!socket.destroyed) if (!socket.write(chunk)) return void socket.once('drain', next);
  };
  socket.on('error', () => {});
  next();
}

type ReviewAnswer = Parameters<WebhookWorld['at']>[1];

/** What a call ends with whose webhook never ends its answer. */
const deadlineExceeded = /context deadline exceeded/;

/** The label of objects whose webhook has little time. */
const hasty = { hasty: 'yes' };

/**
 * Two webhooks at one address: `h` for objects with the label, whose time runs out in a test, and `m` for the others, whose
 * time is enough for a slow machine.
 */
function patientAndHasty(clientConfig: object): readonly [WebhookFields, WebhookFields] {
  const expression = (operator: string) => ({ matchExpressions: [{ key: 'hasty', operator }] });
  return [
    { name: 'm', clientConfig, timeoutSeconds: 30, objectSelector: expression('DoesNotExist') },
    { name: 'h', clientConfig, timeoutSeconds: 2, objectSelector: expression('Exists') },
  ];
}

/** The requests that no fault of a webhook may hold up: one with another webhook, and one without any. */
async function others({ server }: WebhookWorld, name: string): Promise<readonly number[]> {
  const sent = [
    request(server, 'POST', secrets, { metadata: { name } }),
    request(server, 'POST', '/api/v1/namespaces', { metadata: { name } }),
  ];
  return (await Promise.all(sent)).map(({ status }) => status);
}

describe('a webhook that misbehaves', () => {
  let world: WebhookWorld;
  let count = 0;
  const nextName = (): string => `n${++count}`;
  const create = (body: object = {}) =>
    request(world.server, 'POST', configMaps, { metadata: { name: nextName() }, ...body });
  const createHasty = () => create({ metadata: { name: nextName(), labels: hasty } });
  const configureBad = () => {
    const { server, ca = '' } = world.hooks.settings;
    const clientConfig = { url: `${server}/m`, caBundle: Buffer.from(ca).toString('base64') };
    return world.configure('mutating', 'bad', ...patientAndHasty(clientConfig));
  };

  before(async () => {
    world = await startWebhookWorld();
    await configureBad();
    await world.configure('validating', 'good', { name: 'v', rules: [rule('', 'secrets')] });
  });
  after(() => world[Symbol.asyncDispose]());

  const rawly =
    (text: string): ReviewAnswer =>
    (_, response) =>
      void socketOf(response).end(text);
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

  const faults: readonly (readonly [what: string, answer: ReviewAnswer, why: RegExp])[] = [
    [
      'sends its response a byte at a time',
      (_, response) => repeat(socketOf(response.writeHead(200)), 20, () => response.write(' ')),
      deadlineExceeded,
    ],
    [
      'sends its headers a line at a time',
      (_, response) => {
        const socket = socketOf(response);
        socket.write('HTTP/1.1 200 OK\r\n');
        repeat(socket, 20, () => socket.write('x-a: b\r\n'));
      },
      deadlineExceeded,
    ],
    [
      'sends headers without end',
      (_, response) => {
        socketOf(response).write('HTTP/1.1 200 OK\r\n');
        flood(socketOf(response), 'x-a: b\r\n'.repeat(1000));
      },
      /Headers Overflow/,
    ],
    [
      'announces a response without end',
      (_, response) => repeat(socketOf(response), 20, () => response.writeProcessing()),
      deadlineExceeded,
    ],
    [
      'sends a body without end',
      (_, response) => flood(socketOf(response.writeHead(200)), megabyte),
      /Response does not match|EOF|too large|Invalid character/,
    ],
    [
      'sends chunks without end',
      (_, response) => {
        response.writeHead(200);
        const next = (): void => {
          while (!response.destroyed) if (!response.write(megabyte)) return void response.once('drain', next);
        };
        next();
      },
      /answered with a body that is too large/,
    ],
    [
      'sends a gigabyte in a megabyte of gzip',
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipBomb),
      /answered with a compressed body/,
    ],
    ['does not name its compression', (_, response) => void response.end(gzipBomb), /a body that is not JSON/],
    [
      'nests its response without end',
      (_, response) => void response.end(`{"response":${'['.repeat(500_000)}`),
      /a body that is not JSON/,
    ],
    ['speaks another protocol', rawly('SSH-2.0-OpenSSH_9.2\r\n'), /Expected HTTP|Response does not match/],
    ['speaks another version of HTTP', rawly('HTTP/9.9 200 OK\r\n\r\n{}'), /Invalid HTTP version/],
    [
      'sends chunks that are none',
      rawly(`${head}transfer-encoding: chunked\r\n\r\nzork\r\n`),
      /Invalid character in chunk size/,
    ],
    [
      'announces fewer bytes than it sends',
      rawly(`${head}content-length: 3\r\n\r\n{"a":1}`),
      /a body that is not JSON/,
    ],
    ['announces more bytes than it sends', rawly(`${head}content-length: 300\r\n\r\n{"a":1}`), /EOF/],
    ['resets the connection', (_, response) => void socketOf(response).resetAndDestroy(), /EOF/],
    ['ends a connection that was kept', (_, response) => void socketOf(response).destroy(), /EOF/],
    [
      'answers in another version',
      ({ request: { uid } }, response) =>
        void response.end(
          JSON.stringify({
            kind: 'AdmissionReview',
            apiVersion: 'admission.cl.io/v1beta1',
            response: { uid, allowed: true },
          }),
        ),
      /expected webhook response of admission.cl.io\/v1, Kind=AdmissionReview, got admission.cl.io\/v1beta1/,
    ],
    [
      'sends a million values',
      (_, response) => void response.end(`{"kind":"AdmissionReview","x":[${'1,'.repeat(1_000_000)}1]}`),
      /expected webhook response of admission.cl.io\/v1, Kind=AdmissionReview, got \/, Kind=AdmissionReview/,
    ],
  ];
  for (const [what, answer, why] of faults) {
    it(`and ${what} fails its own request alone`, async () => {
      world.at('/m', respond({}));
      assert.equal((await create()).status, 201, 'over a connection that is kept');
      world.at('/m', answer);
      const fail = why === deadlineExceeded ? createHasty : create;
      const [failed, statuses] = await Promise.all([fail(), others(world, nextName())]);
      assert.equal(failed.status, 500, failed.text);
      assert.match(failed.text, /failed calling webhook \\"[mh].example.com\\"/);
      assert.match(failed.text, why);
      assert.deepEqual(statuses, [201, 201]);
      world.at('/m', respond({}));
      assert.equal((await create()).status, 201, 'over another connection');
    });
  }

  it('and never answers holds up no other request while it is waited for', async () => {
    const waiting: ServerResponse[] = [];
    world.at('/m', (_, response) => void waiting.push(response));
    await request(world.server, 'DELETE', '/apis/admissionregistration.cl.io/v1/mutatingwebhookconfigurations/bad');
    await world.configure('mutating', 'slow', { name: 'm', timeoutSeconds: 30 });
    let isDone = false;
    const all = Promise.all(Array.from({ length: 50 }, () => create())).finally(() => (isDone = true));
    assert.deepEqual(await others(world, nextName()), [201, 201]);
    assert.equal(isDone, false);
    await until('all to be waited for', () => waiting.length === 50);
    world.at('/m', respond({}));
    for (const response of waiting) response.destroy();
    assert.deepEqual(new Set((await all).map(({ status }) => status)), new Set([500]));
    await request(world.server, 'DELETE', '/apis/admissionregistration.cl.io/v1/mutatingwebhookconfigurations/slow');
    await configureBad();
  });

  const times = (length: number, operation: (index: number) => object): readonly object[] =>
    Array.from({ length }, (_, index) => operation(index));
  const notes = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 'v']));
  const heavy: readonly (readonly [what: string, answer: ReviewAnswer, status: number, why: RegExp])[] = [
    [
      'a patch of 1 MB with 10,000 operations',
      patchWith(...times(10_000, (index) => ({ op: 'add', path: `/data/k${index}`, value: 'v'.repeat(50) }))),
      201,
      /"k9999":"v/,
    ],
    [
      'a patch with 30,000 operations',
      patchWith(...times(30_000, (index) => ({ op: 'add', path: `/data/k${index}`, value: 'v' }))),
      201,
      /"k29999":"v/,
    ],
    [
      'a patch that makes 100 MB of copies',
      patchWith(
        { op: 'add', path: '/data/big', value: 'x'.repeat(100_000) },
        ...times(1000, (index) => ({ op: 'copy', from: '/data/big', path: `/data/c${index}` })),
      ),
      500,
      /may copy at most 3145728 bytes/,
    ],
    [
      'a patch that doubles the object 30 times',
      patchWith(...times(30, (index) => ({ op: 'copy', from: '/metadata', path: `/metadata/x${index}` }))),
      500,
      /may copy at most/,
    ],
    [
      'a patch that makes 75,001 values',
      patchWith({
        op: 'add',
        path: '/data',
        value: Object.fromEntries(times(75_001, (index) => [index, '']) as never),
      }),
      413,
      /values/,
    ],
    [
      'a patch with 40,000 items before all others',
      patchWith(...times(40_000, (index) => ({ op: 'add', path: '/metadata/finalizers/0', value: `a.b/c${index}` }))),
      500,
      /moves too many list items/,
    ],
    ['100,000 audit annotations', respond({ auditAnnotations: notes }), 201, /"a":"1"/],
    ['300,000 warnings', respond({ warnings: times(300_000, () => 'w' as unknown as object) }), 201, /"a":"1"/],
    [
      'a refusal with 100,000 causes',
      respond({ allowed: false, status: { details: { causes: times(100_000, () => ({ message: 'w' })) } } }),
      400,
      /denied the request/,
    ],
  ];
  for (const [what, answer, status, why] of heavy) {
    it(`and answers with ${what} does not block the others`, async () => {
      world.at('/m', answer);
      const body = { data: { a: '1' } };
      let blockMs = 0;
      for (let left = 3; left > 0; left--) {
        const measured = await measureBlocks(() => Promise.all([createKept(body), others(world, nextName())]));
        const [answered, statuses] = measured.result;

        assert.equal(answered.status, status, answered.text.slice(0, 500));
        assert.match(answered.text, why);
        assert.deepEqual(statuses, [201, 201]);
        blockMs = measured.blockMs;
        if (blockMs < longestBlockMs) return;
      }
      assert.fail(`blocked the event loop for ${Math.round(blockMs)} ms`);
    });
  }
  const createKept = (body: object) =>
    request(world.server, 'POST', configMaps, { metadata: { name: nextName(), finalizers: ['a.b/c'] }, ...body });

  const own: readonly (readonly [what: string, operation: object, status: number, why: RegExp])[] = [
    ['the name', { op: 'replace', path: '/metadata/name', value: 'other' }, 422, /metadata.name: .*field is immutable/],
    ['the namespace', { op: 'add', path: '/metadata/namespace', value: 'x' }, 400, /namespace of the provided object/],
    ['the uid', { op: 'add', path: '/metadata/uid', value: 'x' }, 422, /metadata.uid: .*field is immutable/],
    ['the resourceVersion', { op: 'add', path: '/metadata/resourceVersion', value: '1' }, 409, /has been modified/],
    ['a version that is none', { op: 'add', path: '/metadata/resourceVersion', value: 'x' }, 422, /resourceVersion/],
    ['all metadata', { op: 'replace', path: '/metadata', value: null }, 422, /metadata.name/],
    ['the managers', { op: 'replace', path: '/metadata/managedFields', value: 'x' }, 500, /managedFields/],
  ];
  for (const [what, operation, status, why] of own) {
    it(`and patches ${what} of an object fails its own request alone`, async () => {
      world.at('/m', respond({}));
      const made = (await create({ data: { a: '1' } })).body as { metadata: { name: string; uid: string } };
      const { name } = made.metadata;
      world.at('/m', patchWith(operation));
      const path = `${configMaps}/${name}`;
      const [answered, statuses] = await Promise.all([
        request(world.server, 'PATCH', path, { data: { a: '2' } }, merge),
        others(world, nextName()),
      ]);
      assert.equal(answered.status, status, answered.text);
      assert.match(answered.text, why);
      assert.deepEqual(statuses, [201, 201]);
      assert.deepEqual((await request(world.server, 'GET', path)).body, made, 'nothing has changed');
    });
  }
});

interface Http2Webhook extends AsyncDisposable {
  readonly clientConfig: object;
  /** Answers the reviews; all are allowed at first. */
  answer: ((stream: ServerHttp2Stream, allow: () => void) => void) | undefined;
  /** The versions of HTTP of its requests. */
  readonly versions: string[];
}

/** A server of webhooks that offers HTTP/2, and HTTP/1.1 besides if `allowHTTP1`. */
async function startHttp2Webhook(allowHTTP1: boolean): Promise<Http2Webhook> {
  const [key, serverKey] = [await generateKey(), await generateKey()];
  const ca = await issueAuthorityCertificate(key, 'CA', new Date(Date.now() + 3_600_000));
  const cert = await issueServingCertificate({ key, certificatePem: ca }, serverKey, ['127.0.0.1']);
  const server = createSecureServer({ cert, key: encodeKey(serverKey), allowHTTP1 });
  server.on('session', (session) => session.on('error', () => {}));
  server.on('request', (asked, response) => {
    hooks.versions.push(asked.httpVersion);
    let text = '';
    asked.on('data', (chunk: Buffer) => (text += chunk.toString()));
    asked.on('error', () => {});
    asked.on('end', () => {
      const { apiVersion, request: review } = JSON.parse(text) as { apiVersion: string; request: { uid: string } };
      const allowed = { kind: 'AdmissionReview', apiVersion, response: { uid: review.uid, allowed: true } };
      const allow = () => void response.end(JSON.stringify(allowed));
      if (hooks.answer && asked.httpVersion === '2.0') hooks.answer(response.stream, allow);
      else allow();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const caBundle = Buffer.from(ca).toString('base64');
  const hooks: Http2Webhook = {
    clientConfig: { url: `https://127.0.0.1:${port}/h2`, caBundle },
    answer: undefined,
    versions: [],
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
  return hooks;
}

describe('a webhook over HTTP/2', () => {
  const create = ({ server }: WebhookWorld, name: string, labels = {}) =>
    request(server, 'POST', configMaps, { metadata: { name, labels } });

  it('is called over one session, whether or not it offers HTTP/1.1 too', async () => {
    for (const allowHTTP1 of [true, false]) {
      await using hooks = await startHttp2Webhook(allowHTTP1);
      await using world = await startWebhookWorld();
      await world.configure('validating', 'a', { name: 'v', clientConfig: hooks.clientConfig });
      const answers = await Promise.all(['a', 'b', 'c'].map((name) => create(world, name)));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201, 201],
        answers[0]?.text,
      );
      assert.deepEqual(hooks.versions, ['2.0', '2.0', '2.0']);
    }
  });

  it('that ends its session without an error is called again on another one', async () => {
    await using hooks = await startHttp2Webhook(false);
    await using world = await startWebhookWorld();
    await world.configure('mutating', 'a', { name: 'm', clientConfig: hooks.clientConfig });
    assert.equal((await create(world, 'a')).status, 201);
    hooks.answer = ({ session }) => {
      hooks.answer = undefined;
      session?.goaway(constants.NGHTTP2_NO_ERROR);
    };
    const created = await Promise.all(['b', 'c', 'd'].map((name) => create(world, name)));
    assert.deepEqual(
      created.map(({ status }) => status),
      [201, 201, 201],
      created[0]?.text,
    );
    // The call that was running is made twice; others may be.
    assert.ok(hooks.versions.length >= 5, `${hooks.versions.length} calls`);
  });

  const faults: readonly (readonly [what: string, answer: NonNullable<Http2Webhook['answer']>, labels?: object])[] = [
    ['goes away while it is called', ({ session }) => session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)],
    ['ends every session without an error', ({ session }) => session?.goaway(constants.NGHTTP2_NO_ERROR)],
    ['closes its session', ({ session }) => session?.destroy()],
    ['resets the stream', (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR)],
    ['refuses the stream', (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM)],
    [
      'resets the stream in its body',
      (stream) => {
        stream.respond({ ':status': 200 });
        stream.write('{"kind":', () => stream.close(constants.NGHTTP2_CANCEL));
      },
    ],
    [
      'sends a body without end',
      (stream) => {
        stream.respond({ ':status': 200 });
        const next = (): void => {
          while (!stream.destroyed) if (!stream.write(megabyte)) return void stream.once('drain', next);
        };
        next();
      },
    ],
    [
      'sends a byte at a time',
      (stream) => {
        stream.respond({ ':status': 200 });
        const timer = setInterval(() => stream.write(' '), 20);
        stream.on('close', () => clearInterval(timer));
      },
      hasty,
    ],
    ['says nothing', () => {}, hasty],
  ];
  for (const [what, answer, labels] of faults) {
    it(`and ${what} fails its own request alone`, async () => {
      await using hooks = await startHttp2Webhook(false);
      await using world = await startWebhookWorld();
      await world.configure('mutating', 'a', ...patientAndHasty(hooks.clientConfig));
      assert.equal((await create(world, 'a')).status, 201);
      hooks.answer = (stream, allow) => {
        stream.on('error', () => {});
        answer(stream, allow);
      };
      const [failed, statuses] = await Promise.all([create(world, 'b', labels), others(world, 'others')]);
      assert.equal(failed.status, 500, failed.text);
      assert.deepEqual(statuses, [201, 201]);
      hooks.answer = undefined;
      const next = await create(world, 'c');
      assert.equal(next.status, 201, next.text);
      assert.deepEqual(new Set(hooks.versions), new Set(['2.0']));
    });
  }
});
