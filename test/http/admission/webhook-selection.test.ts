import assert from 'node:assert/strict';
import { request } from '../http-client.ts';
import {
  patchWith,
  respond,
  type ReviewedObject,
  rule,
  startWebhookWorld,
  type WebhookWorld,
} from './webhook-world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const merge = { 'content-type': 'application/merge-patch+json' };

describe('the webhooks of a request', () => {
  let world: WebhookWorld;
  beforeEach(async () => {
    world = await startWebhookWorld({ emulatedRelease: '1.20' });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(world.server, method, path, body, headers);
  const create = (name: string, labels: object = {}) => send('POST', configMaps, { metadata: { name, labels } });
  const calls = () => world.seen.splice(0).map(({ path, request: asked }) => `${path} ${asked.name ?? ''}`);

  const ruleCases: Readonly<Record<string, readonly [rule: object, matches: boolean]>> = {
    'any group': [rule('*', 'configmaps'), true],
    'another group': [rule('apps', 'configmaps'), false],
    'any resource': [rule('', '*'), true],
    'any resource and sub-resource': [rule('', '*/*'), true],
    'any sub-resource of it': [rule('', 'configmaps/*'), true],
    'sub-resources only': [rule('', '*/status'), false],
    'another version': [{ ...rule('', 'configmaps'), apiVersions: ['v2'] }, false],
    'another operation': [{ ...rule('', 'configmaps'), operations: ['UPDATE', 'DELETE'] }, false],
    'its operation': [{ ...rule('', 'configmaps'), operations: ['UPDATE', 'CREATE'] }, true],
    'objects in namespaces': [{ ...rule('', 'configmaps'), scope: 'Namespaced' }, true],
    'objects without namespace': [{ ...rule('', 'configmaps'), scope: 'Cluster' }, false],
  };
  for (const [what, [given, matches]] of Object.entries(ruleCases)) {
    it(`${matches ? 'include' : 'leave out'} those with a rule for ${what}`, async () => {
      await world.configure('validating', 'a', { name: 'v', rules: [given] });
      await create('c');
      assert.equal(world.seen.length, matches ? 1 : 0);
    });
  }

  it('treat Namespaces as objects without namespace', async () => {
    const rules = (scope: string) => [{ ...rule('', 'namespaces'), scope }];
    await world.configure(
      'validating',
      'a',
      { name: 'v', rules: rules('Cluster') },
      { name: 'w', rules: rules('Namespaced') },
    );
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    assert.deepEqual(calls(), ['/v n']);
  });

  it('follow the labels of the namespace as they change', async () => {
    const namespaceSelector = { matchLabels: { hooked: 'yes' } };
    await world.configure('validating', 'a', {
      name: 'v',
      namespaceSelector,
      rules: [rule('', 'configmaps', 'nodes')],
    });
    await create('a');
    await send('PATCH', '/api/v1/namespaces/default', { metadata: { labels: { hooked: 'yes' } } }, merge);
    await create('b');
    // Selectors of namespaces do not exempt what is in none.
    await send('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
    assert.deepEqual(calls(), ['/v b', '/v n']);
  });

  it('follow the labels of a Namespace that is written itself', async () => {
    const namespaceSelector = { matchExpressions: [{ key: 'hooked', operator: 'Exists' }] };
    await world.configure('validating', 'a', { name: 'v', namespaceSelector, rules: [rule('', 'namespaces')] });
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'b', labels: { hooked: '' } } });
    await send('PATCH', '/api/v1/namespaces/a', { metadata: { labels: { hooked: 'now' } } }, merge);
    await send('DELETE', '/api/v1/namespaces/a');
    assert.deepEqual(calls(), ['/v b', '/v a', '/v a']);
  });

  it('follow the labels of the object, and of the one that it replaces', async () => {
    const objectSelector = { matchLabels: { app: 'web' } };
    await world.configure('validating', 'a', { name: 'v', objectSelector });
    await create('plain');
    await create('web', { app: 'web' });
    await send('PATCH', `${configMaps}/web`, { metadata: { labels: { app: 'db' } } }, merge);
    await send('PATCH', `${configMaps}/web`, { metadata: { labels: { app: 'cache' } } }, merge);
    await send('PATCH', `${configMaps}/web`, { metadata: { labels: { app: 'web' } } }, merge);
    await send('DELETE', `${configMaps}/web`);
    assert.deepEqual(calls(), ['/v web', '/v web', '/v web', '/v web']);
  });

  it('follow labels that an earlier webhook sets', async () => {
    await world.configure(
      'mutating',
      'a',
      { name: 'm' },
      { name: 'n', objectSelector: { matchLabels: { app: 'web' } } },
    );
    world.at('/m', patchWith({ op: 'add', path: '/metadata/labels', value: { app: 'web' } }));
    await send('POST', configMaps, { metadata: { name: 'c' } });
    assert.deepEqual(calls(), ['/m c', '/n c']);
  });

  const ingress = {
    metadata: { name: 'i' },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
  };
  const ingressRule = { ...rule('extensions', 'ingresses'), apiVersions: ['v1beta1'] };

  it('include those for another version of the resource, in that version', async () => {
    await world.configure('mutating', 'a', { name: 'm', rules: [ingressRule] });
    world.at('/m', patchWith({ op: 'replace', path: '/spec/backend/serviceName', value: 'changed' }));
    const created = await send('POST', '/apis/networking.cl.io/v1/namespaces/default/ingresses', ingress);
    const { kind, resource, requestKind, requestResource, object } = world.seen[0]?.request ?? {};
    assert.deepEqual(kind, { group: 'extensions', version: 'v1beta1', kind: 'Ingress' });
    assert.deepEqual(resource, { group: 'extensions', version: 'v1beta1', resource: 'ingresses' });
    assert.deepEqual(requestKind, { group: 'networking.cl.io', version: 'v1', kind: 'Ingress' });
    assert.deepEqual(requestResource, { group: 'networking.cl.io', version: 'v1', resource: 'ingresses' });
    assert.equal(object?.apiVersion, 'extensions/v1beta1');
    assert.deepEqual(object.spec?.['backend'], { serviceName: 's', servicePort: 80 });
    const { apiVersion, spec } = created.body as ReviewedObject;
    assert.equal(apiVersion, 'networking.cl.io/v1');
    assert.deepEqual(spec?.['defaultBackend'], { service: { name: 'changed', port: { number: 80 } } });
  });

  it('leave those out with the match policy Exact', async () => {
    await world.configure('mutating', 'a', { name: 'm', rules: [ingressRule], matchPolicy: 'Exact' });
    await send('POST', '/apis/networking.cl.io/v1/namespaces/default/ingresses', ingress);
    assert.deepEqual(calls(), []);
  });

  it('get the first version of reviews that both sides know', async () => {
    await world.configure(
      'validating',
      'a',
      { name: 'old', admissionReviewVersions: ['v1beta1', 'v1'] },
      { name: 'future', admissionReviewVersions: ['v2', 'v1'] },
    );
    await create('c');
    assert.deepEqual(
      new Set(world.seen.map(({ path, apiVersion }) => `${path} ${apiVersion}`)),
      new Set(['/old admission.cl.io/v1beta1', '/future admission.cl.io/v1']),
    );
  });

  it('may omit what they always could in v1beta1', async () => {
    await world.configure('mutating', 'a', { name: 'old', admissionReviewVersions: ['v1beta1'] });
    const patch = Buffer.from('[{"op":"add","path":"/data","value":{"a":"1"}}]').toString('base64');
    world.at('/old', (_, response) => void response.end(JSON.stringify({ response: { allowed: true, patch } })));
    assert.deepEqual(((await create('c')).body as ReviewedObject).data, { a: '1' });
  });

  it('are called again if they ask for that, and another one changed the object after them', async () => {
    const reinvocationPolicy = 'IfNeeded';
    await world.configure('mutating', 'a', { name: 'first', reinvocationPolicy }, { name: 'never' });
    await world.configure(
      'mutating',
      'b',
      { name: 'second', reinvocationPolicy },
      { name: 'last', reinvocationPolicy },
    );
    const annotate = (name: string) => patchWith({ op: 'add', path: '/metadata/annotations', value: { [name]: 'x' } });
    world.at('/second', annotate('s'));
    await create('c');
    assert.deepEqual(calls(), ['/first c', '/never c', '/second c', '/last c', '/first c']);
    world.at('/first', annotate('s'));
    await create('d');
    assert.deepEqual(
      calls(),
      ['/first d', '/never d', '/second d', '/last d'],
      'a change of the first concerns nobody before it, and the second changed nothing',
    );
    world.at('/second', respond({}));
    await send('PATCH', `${configMaps}/d`, { data: { a: '1' } }, merge);
    assert.deepEqual(calls(), ['/first d', '/never d', '/second d', '/last d']);
  });

  it('are followed by all plugins once more', async () => {
    const rules = [rule('', 'pods')];
    await world.configure('mutating', 'a', { name: 'm', rules });
    const resources = { limits: { cpu: '3' } };
    world.at('/m', patchWith({ op: 'add', path: '/spec/containers/-', value: { name: 'side', image: 'j' } }));
    const limits = [{ type: 'Container', default: { memory: '1Gi' } }];
    await send('POST', '/api/v1/namespaces/default/limitranges', { metadata: { name: 'l' }, spec: { limits } });
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i', resources }] } };
    const created = await send('POST', '/api/v1/namespaces/default/pods', pod);
    const { containers } = (created.body as ReviewedObject).spec as { containers: readonly { resources: object }[] };
    assert.deepEqual(containers[1]?.resources, { limits: { memory: '1Gi' }, requests: { memory: '1Gi' } });
    assert.deepEqual(calls(), ['/m p']);
  });

  it('change within a second on every change of a configuration', async () => {
    await world.configure('validating', 'a', { name: 'v' });
    const path = '/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations/a';
    for (let round = 0; round < 5; round++) {
      await create(`with-${round}`);
      assert.deepEqual(calls(), [`/v with-${round}`]);
      const { body } = await send('GET', path);
      assert.equal((await send('DELETE', path)).status, 200);
      await create(`without-${round}`);
      assert.deepEqual(calls(), []);
      const again = { ...(body as object), metadata: { name: 'a' } };
      const created = await send('POST', path.replace(/\/a$/, ''), again);
      assert.equal(created.status, 201, created.text);
    }
  });

  it('may be configured in v1beta1, with its defaults', async () => {
    const { server, ca = '' } = world.hooks.settings;
    const hook = {
      name: 'v.example.com',
      rules: [rule('', 'configmaps')],
      clientConfig: { url: `${server}/v`, caBundle: Buffer.from(ca).toString('base64') },
    };
    const path = '/apis/admissionregistration.cl.io/v1beta1/validatingwebhookconfigurations';
    assert.equal((await send('POST', path, { metadata: { name: 'a' }, webhooks: [hook] })).status, 201);
    world.at('/v', (_, response) => void response.writeHead(500).end());
    assert.equal((await create('c')).status, 201, 'its failure is ignored');
    assert.equal(world.hooks.seen[0]?.url, '/v?timeout=30s');
    assert.equal(world.seen[0]?.apiVersion, 'admission.cl.io/v1beta1');
    const dryRun = await send('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'd' } });
    assert.equal(dryRun.status, 400);
    assert.match(dryRun.text, /"message":"admission webhook \\"v.example.com\\" does not support dry run"/);
    assert.equal(world.seen.length, 1);
  });

  it('see the state that a retry replaces', async () => {
    await create('c');
    await world.configure('validating', 'a', { name: 'v' });
    let isFirst = true;
    world.at('/v', async (review, response) => {
      if (isFirst) {
        isFirst = false;
        // Another write wins while the first one waits for its webhook.
        await send('PATCH', `${configMaps}/c`, { data: { winner: 'yes' } }, merge);
      }
      await respond({})(review, response);
    });
    const patched = await send('PATCH', `${configMaps}/c`, { data: { loser: 'yes' } }, merge);
    assert.deepEqual((patched.body as ReviewedObject).data, { winner: 'yes', loser: 'yes' });
    const last = world.seen.at(-1)?.request;
    assert.deepEqual(last?.oldObject?.data, { winner: 'yes' });
    assert.deepEqual(last.object?.data, { winner: 'yes', loser: 'yes' });
    assert.equal(world.seen.length, 3);
  });
});
