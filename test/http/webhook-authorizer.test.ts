import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfiguredMode, WebhookMode } from '../../src/server/index.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { answer, type SeenRequest, startTlsServer, type TlsServer } from '../unit/outbound/start-tls-server.ts';
import { request } from './http-client.ts';
import { readMetrics } from './read-metrics.ts';
import { until } from './until.ts';

const tokens = [{ token: 'ann', username: 'ann', groups: ['dev'] }];
const group = 'authorization.cl.io';
const secrets = '/api/v1/namespaces/n/secrets';

/** Answers a review with a status. */
const decide =
  (status: object, version = 'v1beta1') =>
  (_: SeenRequest, response: ServerResponse): void =>
    answer(response, 200, { kind: 'SubjectAccessReview', apiVersion: `${group}/${version}`, status });

describe('a webhook that authorizes', () => {
  let directory: string;
  let clientConfigFile: string;
  let webhook: TlsServer;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-webhook-'));
    clientConfigFile = path.join(directory, 'config');
  });
  beforeEach(async () => {
    webhook = await startTlsServer();
    const { server, ca = '', cert = '', key = '' } = webhook.settings;
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const config = {
      clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': base64(ca) } }],
      users: [{ name: 'u', user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(clientConfigFile, JSON.stringify(config));
  });
  afterEach(() => webhook.stop());
  after(() => rm(directory, { recursive: true, force: true }));

  const mode = (changes: Partial<WebhookMode> = {}): WebhookMode => ({
    type: 'Webhook',
    name: 'decider',
    clientConfigFile,
    version: 'v1beta1',
    authorizedTtlMs: 300_000,
    unauthorizedTtlMs: 300_000,
    timeoutMs: 5000,
    onFailure: 'no-opinion',
    ...changes,
  });
  const start = (...authorizationMode: ConfiguredMode[]) => startServer({ authorizationMode, tokens, store: 'memory' });
  const asAnn = (server: TestServer, method: string, url: string, body?: unknown) =>
    request({ ...server, token: 'ann' }, method, url, body);
  const reviews = (): unknown[] => webhook.seen.map(({ body }) => JSON.parse(body) as unknown);

  it('gets the selectors of lists, from the release on whose authorizers read them', async () => {
    webhook.handle = decide({ allowed: true }, 'v1');
    const selected = `${secrets}?fieldSelector=type%3Da,metadata.name!%3Db&labelSelector=x%20in%20(1,2),!y,z%3Dv`;
    const specOf = async (emulatedRelease: '1.30' | '1.34', target: string): Promise<unknown> => {
      await using server = await startServer({
        authorizationMode: [mode({ version: 'v1', authorizedTtlMs: 0 })],
        tokens,
        store: 'memory',
        emulatedRelease,
      });
      await asAnn(server, 'GET', target);
      const review = JSON.parse(webhook.seen.at(-1)?.body ?? '') as {
        readonly spec: { readonly resourceAttributes: unknown };
      };
      return review.spec.resourceAttributes;
    };
    const plain = { namespace: 'n', verb: 'list', version: 'v1', resource: 'secrets' };
    assert.deepEqual(await specOf('1.30', selected), plain);
    assert.deepEqual(await specOf('1.34', selected), {
      ...plain,
      fieldSelector: {
        requirements: [
          { key: 'metadata.name', operator: 'NotIn', values: ['b'] },
          { key: 'type', operator: 'In', values: ['a'] },
        ],
      },
      labelSelector: {
        requirements: [
          { key: 'x', operator: 'In', values: ['1', '2'] },
          { key: 'y', operator: 'DoesNotExist' },
          { key: 'z', operator: 'In', values: ['v'] },
        ],
      },
    });
    assert.deepEqual(
      await specOf('1.34', `${secrets}?labelSelector=%3D%3D`),
      plain,
      'what cannot be read asks for more',
    );
  });

  it('gets the attributes of a request as kube-apiserver sends them', async () => {
    webhook.handle = decide({ allowed: true });
    await using server = await start(mode());
    assert.equal((await asAnn(server, 'GET', `${secrets}/s`)).status, 404);
    assert.equal((await asAnn(server, 'GET', '/metrics')).status, 200);
    const review = (attributes: object): object => ({
      kind: 'SubjectAccessReview',
      apiVersion: `${group}/v1beta1`,
      metadata: { creationTimestamp: null },
      spec: { ...attributes, user: 'ann', group: ['dev', 'system:authenticated'] },
      status: { allowed: false },
    });
    const attributes = { namespace: 'n', verb: 'get', version: 'v1', resource: 'secrets', name: 's' };
    assert.deepEqual(reviews(), [
      review({ resourceAttributes: attributes }),
      review({ nonResourceAttributes: { path: '/metrics', verb: 'get' } }),
    ]);
    assert.ok(webhook.seen.every(({ clientAuthorized, method }) => clientAuthorized && method === 'POST'));
  });

  it('gets version v1 if that is chosen', async () => {
    webhook.handle = decide({ allowed: true }, 'v1');
    await using server = await start(mode({ version: 'v1' }));
    assert.equal((await asAnn(server, 'GET', '/apis/apps/v1/namespaces/n/deployments/d/scale')).status, 404);
    const [review] = reviews() as { apiVersion: string; spec: object }[];
    assert.deepEqual(
      [review?.apiVersion, review?.spec],
      [
        `${group}/v1`,
        {
          resourceAttributes: {
            namespace: 'n',
            verb: 'get',
            group: 'apps',
            version: 'v1',
            resource: 'deployments',
            subresource: 'scale',
            name: 'd',
          },
          user: 'ann',
          groups: ['dev', 'system:authenticated'],
        },
      ],
    );
  });

  it('is asked about the create of an object that an update or apply would make, as about a POST', async () => {
    webhook.handle = ({ body }, response) => {
      // The body is a review of the server under test.
      const { spec } = JSON.parse(body) as { spec: { resourceAttributes: { verb: string } } };
      const isCreate = spec.resourceAttributes.verb === 'create';
      return decide(isCreate ? { allowed: false, reason: 'not today' } : { allowed: true })(
        { body } as SeenRequest,
        response,
      );
    };
    await using server = await start(mode());
    const apply = (url: string, body: object): ReturnType<typeof request> =>
      request({ ...server, token: 'ann' }, 'PATCH', `${url}?fieldManager=f`, body, {
        'content-type': 'application/apply-patch+yaml',
      });
    const refused = await asAnn(server, 'PUT', '/api/v1/namespaces/n/services/s', {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }] },
    });
    assert.equal(refused.status, 403, refused.text);
    assert.equal((refused.body as { message: string }).message, 'services "s" is forbidden: not today');
    const namespace = await apply('/api/v1/namespaces/n', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'n' },
    });
    assert.equal(namespace.status, 403, namespace.text);
    const asked = (reviews() as { spec: { resourceAttributes: Record<string, string> } }[]).map(
      ({ spec }) => spec.resourceAttributes,
    );
    assert.deepEqual(
      asked.filter(({ verb }) => verb === 'create'),
      [
        { namespace: 'n', verb: 'create', version: 'v1', resource: 'services', name: 's' },
        // A POST of a Namespace is in no namespace.
        { verb: 'create', version: 'v1', resource: 'namespaces', name: 'n' },
      ],
    );
  });

  it('is asked once for an answer that is remembered, whatever the answer is', async () => {
    await using server = await start(mode());
    for (const [status, code] of [
      [{ allowed: true }, 200],
      [{ allowed: false, denied: true, reason: 'not you' }, 403],
      [{ allowed: false }, 403],
    ] as const) {
      webhook.handle = decide(status);
      webhook.seen.length = 0;
      const url = `/api/v1/namespaces/n${Object.keys(status).length}-${code}/secrets`;
      for (let time = 0; time < 3; time++) assert.equal((await asAnn(server, 'GET', url)).status, code);
      assert.equal(webhook.seen.length, 1);
    }
  });

  it('is asked each time for an answer whose time to live is zero', async () => {
    webhook.handle = decide({ allowed: true });
    await using server = await start(mode({ authorizedTtlMs: 0 }));
    for (let time = 0; time < 3; time++) assert.equal((await asAnn(server, 'GET', secrets)).status, 200);
    assert.equal(webhook.seen.length, 3);
  });

  it('is asked again when an answer has expired', async () => {
    webhook.handle = decide({ allowed: false });
    await using server = await start(mode({ unauthorizedTtlMs: 20 }));
    assert.equal((await asAnn(server, 'GET', secrets)).status, 403);
    webhook.handle = decide({ allowed: true });
    await until('the next question', async () => (await asAnn(server, 'GET', secrets)).status === 200);
  });

  it('is not remembered for attributes of more than 10,000 characters', async () => {
    webhook.handle = decide({ allowed: true });
    await using server = await start(mode());
    for (let time = 0; time < 2; time++) await asAnn(server, 'GET', `/${'x'.repeat(10_000)}`);
    assert.equal(webhook.seen.length, 2);
  });

  it('is asked once for equal requests at the same time', async () => {
    let answerNow = (): void => {};
    webhook.handle = (asked, response) => {
      answerNow = () => decide({ allowed: true })(asked, response);
    };
    await using server = await start(mode({ authorizedTtlMs: 0 }));
    const asked = Array.from({ length: 20 }, () => asAnn(server, 'GET', secrets));
    const reads = 'apiserver_current_inflight_requests{request_kind="readOnly"}';
    await until('all requests to wait', async () => Number((await readMetrics(server)).get(reads)) >= asked.length);
    await until('the webhook to be asked', () => webhook.seen.length > 0);
    answerNow();
    const answers = await Promise.all(asked);
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(webhook.seen.length, 1);
  });

  it('denies for good, with its reason, and leaves the rest to later modes', async () => {
    await using server = await start(mode({ unauthorizedTtlMs: 0 }), 'AlwaysAllow');
    webhook.handle = decide({ allowed: false, denied: true, reason: 'not you' });
    const denied = await asAnn(server, 'GET', secrets);
    assert.equal(denied.status, 403);
    assert.match(denied.text, /in the namespace \\"n\\": not you"/);
    webhook.handle = decide({ allowed: false, reason: 'who knows' });
    assert.equal((await asAnn(server, 'GET', secrets)).status, 200);
  });

  const failures: readonly (readonly [what: string, handle: TlsServer['handle']])[] = [
    ['an error', (_, response) => answer(response, 500, {})],
    ['a refusal', (_, response) => answer(response, 403, {})],
    ['a redirect', (_, response) => void response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end()],
    ['nothing', () => {}],
    ['no JSON', (_, response) => void response.end('allowed')],
    ['no review', (_, response) => answer(response, 200, { status: { allowed: true } })],
    ['a review of another version', decide({ allowed: true }, 'v1')],
    ['a review of no status', decide({})],
    ['a word for a truth', decide({ allowed: 'true' })],
    ['both', decide({ allowed: true, denied: true })],
    ['too much', (_, response) => void response.end(`{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`)],
  ];
  for (const [what, handle] of failures) {
    it(`allows nothing by answering ${what}`, async () => {
      webhook.handle = handle;
      await using server = await start(mode({ timeoutMs: what === 'nothing' ? 2_000 : 60_000 }));
      const failed = await asAnn(server, 'GET', secrets);
      assert.equal(failed.status, 500, failed.text);
      assert.match(failed.text, /"message":"Internal Server Error: \\"\/api\/v1\/namespaces\/n\/secrets\\": /);
      assert.equal((await request(server, 'GET', secrets)).status, 200, 'system:masters does not depend on it');
      webhook.handle = decide({ allowed: true });
      const isAllowed = async (): Promise<boolean> => (await asAnn(server, 'GET', secrets)).status === 200;
      // On a slow machine the time of a call may run out again.
      if (what !== 'both') await until('a failure to be forgotten', isAllowed);
    });
  }

  it('leaves the decision to later modes when it fails, or denies, as configured', async () => {
    webhook.handle = (_, response) => answer(response, 400, {});
    {
      await using server = await start(mode(), 'AlwaysAllow');
      assert.equal((await asAnn(server, 'GET', secrets)).status, 200);
    }
    await using server = await start(mode({ onFailure: 'deny' }), 'AlwaysAllow');
    assert.equal((await asAnn(server, 'GET', secrets)).status, 500);
  });

  it('counts its calls by their results', async () => {
    await using server = await start(mode({ timeoutMs: 3_000 }));
    const family = 'apiserver_authorization_webhook';
    const handlers: Readonly<Record<string, TlsServer['handle']>> = {
      success: decide({ allowed: true }),
      error: (_, response) => answer(response, 400, {}),
      timeout: () => {},
    };
    let count = 0;
    for (const [result, handle] of Object.entries(handlers)) {
      webhook.handle = handle;
      const labels = `{name="decider",result="${result}"}`;
      let metrics = await readMetrics(server);
      // On a slow machine the time of any call may run out.
      await until(result, async () => {
        await asAnn(server, 'GET', `${secrets}/s${++count}`);
        metrics = await readMetrics(server);
        return metrics.has(`${family}_evaluations_total${labels}`);
      });
      const counted = metrics.get(`${family}_evaluations_total${labels}`);
      assert.equal(metrics.get(`${family}_duration_seconds_count${labels}`), counted, result);
      const open = metrics.get(`${family}_evaluations_fail_open_total${labels}`);
      assert.equal(open, result === 'success' ? undefined : counted, result);
    }
  });

  it('explains its failure to access reviews', async () => {
    webhook.handle = (_, response) => answer(response, 400, {});
    await using server = await start(mode());
    const spec = { user: 'ann', resourceAttributes: { verb: 'get', resource: 'pods' } };
    const review = await request(server, 'POST', `/apis/${group}/v1/subjectaccessreviews`, { spec });
    const { status } = review.body as { status: { allowed: boolean; evaluationError: string } };
    assert.equal(status.allowed, false);
    assert.match(status.evaluationError, /^decider: https:\/\/127\.0\.0\.1:\d+ answered 400$/);
  });

  const file = (): string => path.join(directory, 'authorization.yaml');
  const head = 'apiVersion: apiserver.config.cl.io/v1beta1\nkind: AuthorizationConfiguration\nauthorizers:';
  const entry = (name: string, version = 'v1beta1'): string => `
- type: Webhook
  name: ${name}
  webhook:
    timeout: 3s
    subjectAccessReviewVersion: ${version}
    failurePolicy: Deny
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${clientConfigFile}}`;

  it('may be one of several, in the order of an AuthorizationConfiguration', async () => {
    webhook.handle = (seen, response) => {
      const allowed = seen.body.includes(`"apiVersion":"${group}/v1"`);
      decide(allowed ? { allowed } : { allowed, denied: seen.body.includes('secrets') }, allowed ? 'v1' : 'v1beta1')(
        seen,
        response,
      );
    };
    await writeFile(file(), head + entry('first', 'v1beta1') + entry('second', 'v1'));
    await using server = await startServer({ authorizationConfigFile: file(), tokens, store: 'memory' });
    assert.equal((await asAnn(server, 'GET', secrets)).status, 403);
    assert.equal(webhook.seen.length, 1);
    assert.equal((await asAnn(server, 'GET', '/api/v1/namespaces/n/configmaps')).status, 200);
    assert.equal(webhook.seen.length, 3);
  });

  it('is asked if all its match conditions hold, and counts as failed if one has no value', async () => {
    webhook.handle = decide({ allowed: true });
    const conditions = `
    matchConditionSubjectAccessReviewVersion: v1
    matchConditions:
    - expression: has(request.resourceAttributes)
    - expression: request.resourceAttributes.namespace != 'private'
    - expression: "!('ops' in request.groups)"
    - expression: request.resourceAttributes.resource != 'pods' || request.extra['a'][0] == 'b'`;
    await writeFile(file(), `${head}${entry('first')}${conditions}\n- {type: AlwaysAllow, name: alwaysallow}`);
    const others = [...tokens, { token: 'bob', username: 'bob', groups: ['ops'] }];
    await using server = await startServer({ authorizationConfigFile: file(), tokens: others, store: 'memory' });
    const asked = async (token: string, url: string): Promise<readonly [number, number]> => {
      const before = webhook.seen.length;
      return [(await request({ ...server, token }, 'GET', url)).status, webhook.seen.length - before];
    };
    assert.deepEqual(await asked('ann', secrets), [200, 1]);
    assert.deepEqual(await asked('bob', secrets), [200, 0], 'later modes decide');
    assert.deepEqual(await asked('ann', '/api/v1/namespaces/private/secrets'), [200, 0]);
    assert.deepEqual(await asked('ann', '/metrics'), [200, 0], 'one does not hold, and the others have no value');
    assert.deepEqual(await asked('ann', '/api/v1/namespaces/n/pods'), [500, 0], 'its failure policy is Deny');
    assert.deepEqual(await asked('ann', '/api/v1/namespaces/n/services'), [200, 1]);
  });

  it('comes, changes and goes with an AuthorizationConfiguration that changes', async () => {
    const plain = (...types: string[]): string =>
      types.map((type) => `\n- {type: ${type}, name: ${type.toLowerCase()}}`).join('');
    await writeFile(file(), head + plain('AlwaysDeny'));
    const options = { authorizationConfigFile: file(), tokens, store: 'memory', certificateReloadMs: 20 } as const;
    await using server = await startServer(options);
    const status = async (): Promise<number> => (await asAnn(server, 'GET', secrets)).status;
    assert.equal(await status(), 403);
    webhook.handle = decide({ allowed: true });
    await writeFile(file(), head + entry('first') + plain('AlwaysDeny'));
    await until('the webhook to decide', async () => (await status()) === 200);
    // A file without effect: it cannot be parsed, adds another mode, or names a webhook without a config.
    for (const bad of ['authorizers: [', plain('AlwaysDeny', 'AlwaysAllow'), plain('AlwaysAllow'), entry('first')]) {
      await writeFile(file(), head + bad);
      await sleep(150);
      assert.equal(await status(), 200);
      assert.equal((await asAnn(server, 'GET', `${secrets}/${bad.length}`)).status, 404, 'the webhook still decides');
    }
    await writeFile(file(), head + entry('first') + entry('second') + plain('AlwaysDeny'));
    const spec = { user: 'ann', resourceAttributes: { verb: 'get', resource: 'pods' } };
    webhook.handle = decide({ allowed: false });
    await until('the second webhook', async () => {
      const review = await request(server, 'POST', `/apis/${group}/v1/subjectaccessreviews?explain=true`, { spec });
      return /first: no opinion.*second: no opinion/s.test(review.text);
    });
    assert.equal(await status(), 200, 'an unchanged webhook keeps its answers');
    await writeFile(file(), head + plain('AlwaysDeny'));
    await until('nobody to be allowed', async () => (await status()) === 403);
    const metrics = [...(await readMetrics(server))];
    const reloads = (outcome: string): readonly number[] =>
      metrics
        .filter(([series]) => series.includes('authorization_config_controller_automatic_reloads_total'))
        .filter(([series]) => series.includes(`status="${outcome}"`))
        .map(([, value]) => value);
    assert.deepEqual(reloads('success'), [3]);
    assert.ok((reloads('failure')[0] ?? 0) > 0);
    const hash = createHash('sha256')
      .update(head + plain('AlwaysDeny'))
      .digest('hex');
    const used = metrics.filter(([series]) => series.includes('_last_config_info'));
    assert.deepEqual([used.length, used[0]?.[0].includes(`hash="sha256:${hash}"`)], [1, true]);
  });

  it('must have a client config', async () => {
    await assert.rejects(start(mode({ clientConfigFile: '/nowhere' })), /cannot read \/nowhere: it does not exist/);
  });
});
