import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { answer, type SeenRequest, startTlsServer, type TlsServer } from '../../unit/outbound/start-tls-server.ts';
import { type HttpResponse, request } from '../http-client.ts';

const pods = '/api/v1/namespaces/default/pods';
const apiVersion = 'imagepolicy.cl.io/v1alpha1';

/** Answers a review with a status. */
const decide =
  (status: object) =>
  (_: SeenRequest, response: ServerResponse): void =>
    answer(response, 200, { kind: 'ImageReview', apiVersion, status });

describe('a backend for image policy', () => {
  let directory: string;
  let kubeConfigFile: string;
  let backend: TlsServer;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-images-'));
    kubeConfigFile = path.join(directory, 'config');
  });
  beforeEach(async () => {
    backend = await startTlsServer();
    backend.handle = decide({ allowed: true });
    const { server, ca = '' } = backend.settings;
    const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
    const contexts = [{ name: 'x', context: { cluster: 'c', user: '' } }];
    const config = { clusters: [{ name: 'c', cluster }], users: [], contexts, 'current-context': 'x' };
    await writeFile(kubeConfigFile, JSON.stringify(config));
  });
  afterEach(() => backend.stop());
  after(() => rm(directory, { recursive: true, force: true }));

  const start = (settings: JsonObject = {}): Promise<TestServer> =>
    startServer({
      store: 'memory',
      admissionPlugins: { enabled: ['ImagePolicyWebhook'], disabled: [] },
      admissionConfigurations: {
        ImagePolicyWebhook: { imagePolicy: { kubeConfigFile, retryBackoff: 1, ...settings } },
      },
    });
  const create = (server: TestServer, name: string, image = 'x', annotations: JsonObject = {}): Promise<HttpResponse> =>
    request(server, 'POST', pods, {
      metadata: { name, annotations },
      spec: { initContainers: [{ name: 'i', image: 'first' }], containers: [{ name: 'c', image }] },
    });
  const patch = (server: TestServer, name: string, body: object): Promise<HttpResponse> =>
    request(server, 'PATCH', `${pods}/${name}`, body, { 'content-type': 'application/strategic-merge-patch+json' });
  const reviews = (): readonly { spec: JsonObject }[] =>
    backend.seen.map(({ body }) => JSON.parse(body) as { spec: JsonObject });
  const assertRefused = ({ status, body, text }: HttpResponse, why: string): void => {
    assert.equal(status, 403, text);
    assert.equal((body as { message: string }).message, `pods "p" is forbidden: ${why}`);
  };

  it('gets the images of a Pod and its annotations for the backend', async () => {
    await using server = await start();
    const annotations = { 'a.image-policy.cl.io/ticket': '1', 'image-policy.cl.io/x': '2', b: '3' };
    assert.equal((await create(server, 'p', 'x', annotations)).status, 201);
    assert.deepEqual(reviews(), [
      {
        kind: 'ImageReview',
        apiVersion,
        metadata: { creationTimestamp: null },
        spec: {
          containers: [{ image: 'x' }, { image: 'first' }],
          annotations: { 'a.image-policy.cl.io/ticket': '1' },
          namespace: 'default',
        },
        status: { allowed: false },
      },
    ]);
  });

  it('refuses images, with or without a reason', async () => {
    await using server = await start();
    backend.handle = decide({ allowed: false });
    assertRefused(await create(server, 'p'), 'one or more images rejected by webhook backend');
    backend.handle = decide({ allowed: false, reason: 'no signature' });
    const why = 'image policy webhook backend denied one or more images: no signature';
    assertRefused(await create(server, 'p', 'y'), why);
  });

  it('is asked about new images of updates and about ephemeral containers, and not about statuses', async () => {
    await using server = await start();
    await create(server, 'p');
    backend.handle = decide({ allowed: false });
    const why = 'one or more images rejected by webhook backend';
    assertRefused(await patch(server, 'p', { spec: { containers: [{ name: 'c', image: 'y' }] } }), why);
    const ephemeralContainers = [{ name: 'e', image: 'z', terminationMessagePolicy: 'File', imagePullPolicy: 'Never' }];
    assertRefused(await patch(server, 'p/ephemeralcontainers', { spec: { ephemeralContainers } }), why);
    assert.deepEqual(reviews().at(-1)?.spec, { containers: [{ image: 'z' }], namespace: 'default' });
    const asked = backend.seen.length;
    assert.equal((await patch(server, 'p/status', { status: { phase: 'Running' } })).status, 200);
    assert.equal(backend.seen.length, asked);
  });

  it('is asked once while its answer is remembered', async () => {
    await using server = await start();
    for (const name of ['a', 'b']) await create(server, name);
    assert.equal(backend.seen.length, 1);
    backend.handle = decide({ allowed: false });
    for (const name of ['c', 'd']) await create(server, name, 'other');
    assert.equal(backend.seen.length, 2);
  });

  it('is asked each time if answers are not remembered', async () => {
    await using server = await start({ allowTTL: -1, denyTTL: -1 });
    for (const name of ['a', 'b']) await create(server, name);
    backend.handle = decide({ allowed: false });
    for (const name of ['c', 'd']) await create(server, name);
    assert.equal(backend.seen.length, 4);
  });

  it('is asked again after it was overloaded', async () => {
    await using server = await start();
    backend.handle = (seen, response) =>
      backend.seen.length < 3 ? answer(response, 503, {}) : decide({ allowed: true })(seen, response);
    assert.equal((await create(server, 'p')).status, 201);
    assert.equal(backend.seen.length, 3);
  });

  it('harms only its own requests when it fails', async () => {
    await using server = await start();
    for (const [handle, why] of [
      [decide({}), /^one or more images rejected/],
      [(_, response) => answer(response, 400, {}), /answered 400/],
      [(_, response) => answer(response, 200, { kind: 'Other' }), /did not answer with an ImageReview/],
      [(_, response) => void response.writeHead(302, { location: backend.settings.server }).end(), /answered 302/],
      [(_, response) => void response.end('no JSON'), /not JSON/],
      [(_, response) => void response.end(JSON.stringify({ a: 'b'.repeat(2_000_000) })), /too large/],
      [(_, response) => void response.destroy(), /cannot reach/],
    ] as readonly (readonly [TlsServer['handle'], RegExp])[]) {
      backend.handle = handle;
      const { status, body } = await create(server, 'p', `${why}`);
      const { message } = body as { message: string };
      assert.equal(status, 403, message);
      assert.match(message.replace('pods "p" is forbidden: ', ''), why);
    }
    assert.equal((await request(server, 'GET', pods)).status, 200);
  });

  it('lets Pods pass while it fails, if so configured, and stores them unchanged', async () => {
    await using server = await start({ defaultAllow: true });
    backend.handle = (_, response) => answer(response, 400, {});
    const { status, body } = await create(server, 'p');
    assert.equal(status, 201);
    assert.equal(objectAt(body as JsonObject, 'metadata')['annotations'], undefined);
    backend.handle = (_, response) => answer(response, 200, {});
    assert.equal((await create(server, 'r')).status, 403, 'a response without a kind is a refusal');
    backend.handle = decide({ allowed: false });
    assert.equal((await create(server, 'q')).status, 403, 'a failure is not remembered');
  });

  it('has a configuration, whose mistakes are named', async () => {
    for (const [settings, message] of [
      [{ kubeConfigFile: '' }, 'imagePolicy.kubeConfigFile: Required value'],
      [{ kubeConfigFile: '/nowhere/config' }, 'cannot read /nowhere/config'],
      [{ allowTTL: 1801 }, 'imagePolicy.allowTTL: Invalid value: 1801: must be -1, 0, or between 1 and 1800'],
      [{ retryBackoff: -2 }, 'imagePolicy.retryBackoff: Invalid value: -2'],
      [{ allowTTL: '30' }, 'imagePolicy.allowTTL: Invalid value: "30": must be of type integer'],
      [{ denyTTL: 1.5 }, 'imagePolicy.denyTTL: Invalid value: 1.5: must be of type integer'],
      [{ defaultAllow: 'true' }, 'imagePolicy.defaultAllow: Invalid value: "true": must be of type boolean'],
      [{ kubeConfigFile: 5 }, 'imagePolicy.kubeConfigFile: Invalid value: 5: must be of type string'],
      [{ allowTtl: 1 }, 'imagePolicy.allowTtl: Forbidden: unknown field'],
    ] as const) {
      await assert.rejects(start(settings), new RegExp(message));
    }
  });
});
