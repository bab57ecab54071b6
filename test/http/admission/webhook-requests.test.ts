import assert from 'node:assert/strict';
import { request } from '../http-client.ts';
import { patchWith, respond, rule, startWebhookWorld, type WebhookWorld } from './webhook-world.ts';

const namespace = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const merge = { 'content-type': 'application/merge-patch+json' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

describe('the requests that webhooks are called for', () => {
  let world: WebhookWorld;
  before(async () => {
    world = await startWebhookWorld();
    await send('POST', deployments, {
      metadata: { name: 'd' },
      spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template },
    });
    await send('POST', `${namespace}/pods`, pod);
    await send('POST', `${namespace}/serviceaccounts`, { metadata: { name: 's' } });
    await send('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
    const rules = [rule('*', '*/*')];
    await world.configure('mutating', 'all', { name: 'm', rules, matchPolicy: 'Exact' });
    await world.configure('validating', 'all', { name: 'v', rules, matchPolicy: 'Exact' });
  });
  after(() => world[Symbol.asyncDispose]());
  beforeEach(() => {
    world.at('/m', respond({}));
    world.seen.length = 0;
  });

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(world.server, method, path, body, headers);

  interface RequestRow {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
    /** Operation, kind with its version, resource with its sub-resource, namespace, name. */
    readonly review: readonly [operation: string, kind: string, resource: string, namespace?: string, name?: string];
    /** The fields of the object besides its kind. */
    readonly object?: object;
    readonly hasOld?: true;
    readonly hasOptions?: false;
  }

  const spec = { nonResourceAttributes: { path: '/', verb: 'get' } };
  const rows: Readonly<Record<string, RequestRow>> = {
    'a namespace, which is in itself': {
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name: 'nn' } },
      review: ['CREATE', 'v1 Namespace', 'namespaces', 'nn', 'nn'],
    },
    'an object without namespace': {
      method: 'POST',
      path: '/api/v1/nodes',
      body: { metadata: { name: 'o' } },
      review: ['CREATE', 'v1 Node', 'nodes', undefined, 'o'],
    },
    'a status': {
      method: 'PATCH',
      path: `${namespace}/pods/p/status`,
      body: { status: { message: 'x' } },
      headers: merge,
      review: ['UPDATE', 'v1 Pod', 'pods/status', 'default', 'p'],
      hasOld: true,
    },
    'a scale': {
      method: 'PATCH',
      path: `${deployments}/d/scale`,
      body: { spec: { replicas: 2 } },
      headers: merge,
      review: ['UPDATE', 'v1 Scale', 'deployments/scale', 'default', 'd'],
      hasOld: true,
    },
    'a binding': {
      method: 'POST',
      path: `${namespace}/pods/p/binding`,
      body: { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
      review: ['CREATE', 'v1 Binding', 'pods/binding', 'default', 'p'],
    },
    'a binding that names its pod': {
      method: 'POST',
      path: `${namespace}/bindings`,
      body: { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
      review: ['CREATE', 'v1 Binding', 'bindings', 'default', 'p'],
    },
    'an eviction': {
      method: 'POST',
      path: `${namespace}/pods/p/eviction?dryRun=All`,
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
      review: ['CREATE', 'v1 Eviction', 'pods/eviction', 'default', 'p'],
    },
    'a token': {
      method: 'POST',
      path: `${namespace}/serviceaccounts/s/token`,
      body: { spec: {} },
      review: ['CREATE', 'v1 TokenRequest', 'serviceaccounts/token', 'default', 's'],
    },
    'a review': {
      method: 'POST',
      path: '/apis/authorization.cl.io/v1/selfsubjectaccessreviews',
      body: { spec },
      review: ['CREATE', 'v1 SelfSubjectAccessReview', 'selfsubjectaccessreviews'],
    },
    'a review of a namespace that does not exist': {
      method: 'POST',
      path: '/apis/authorization.cl.io/v1/namespaces/missing/localsubjectaccessreviews',
      body: {
        metadata: { namespace: 'missing' },
        spec: { user: 'u', resourceAttributes: { namespace: 'missing', verb: 'get', resource: 'pods' } },
      },
      review: ['CREATE', 'v1 LocalSubjectAccessReview', 'localsubjectaccessreviews', 'missing'],
    },
    'a command in a container': {
      method: 'POST',
      path: `${namespace}/pods/p/exec?command=ls&command=-l&stdin=true&container=c`,
      review: ['CONNECT', 'v1 PodExecOptions', 'pods/exec', 'default', 'p'],
      object: { command: ['ls', '-l'], stdin: true, container: 'c' },
      hasOptions: false,
    },
    'a proxy': {
      method: 'GET',
      path: `${namespace}/services/https:web:443/proxy/a/b?c=d`,
      review: ['CONNECT', 'v1 ServiceProxyOptions', 'services/proxy', 'default', 'https:web:443'],
      object: { path: '/a/b' },
      hasOptions: false,
    },
    'a deletion': {
      method: 'DELETE',
      path: '/api/v1/nodes/o',
      review: ['DELETE', 'v1 Node', 'nodes', undefined, 'o'],
      hasOld: true,
    },
  };
  for (const [
    what,
    { method, path, body, headers, review, object, hasOld = false, hasOptions = true },
  ] of Object.entries(rows)) {
    it(`include ${what}`, async () => {
      const { text } = await send(method, path, body, headers);
      assert.deepEqual(
        world.seen.map(({ path: hook }) => hook),
        ['/m', '/v'],
        text,
      );
      for (const { request: asked } of world.seen) {
        const { operation, kind, resource, subResource, namespace: inside, name } = asked;
        const plural = subResource ? `${resource.resource}/${subResource}` : resource.resource;
        assert.deepEqual([operation, `${kind.version} ${kind.kind}`, plural, inside, name].slice(0, 5), [
          ...review,
          ...Array.from({ length: 5 - review.length }, () => undefined),
        ]);
        assert.equal(asked.oldObject !== null, hasOld);
        assert.equal(asked.options !== null, hasOptions);
        assert.equal(asked.object === null, operation === 'DELETE');
        if (asked.object) assert.equal(asked.object.kind, kind.kind);
        if (object) {
          const { kind: _kind, apiVersion: _apiVersion, ...fields } = asked.object ?? {};
          assert.deepEqual(fields, object);
        }
      }
    });
  }

  it('show a token that is bound to nothing with null', async () => {
    await send('POST', `${namespace}/serviceaccounts/s/token`, { spec: { audiences: ['a'] } });
    const specs = world.seen.map(({ request: { object } }) => object?.spec);
    const reviewed = { audiences: ['a'], expirationSeconds: 3600, boundObjectRef: null };
    assert.deepEqual(specs, [reviewed, reviewed]);
  });

  it('leave out the log of a container, which is read', async () => {
    await send('GET', `${namespace}/pods/p/log`);
    assert.deepEqual(world.seen, []);
  });

  it('are refused before anything connects', async () => {
    world.at('/m', respond({ allowed: false, status: { code: 403, message: 'no shells' } }));
    const refused = await send('POST', `${namespace}/pods/p/exec?command=ls`);
    assert.equal(refused.status, 403);
    assert.match(refused.text, /no shells/);
  });

  it('can have their scale changed', async () => {
    world.at('/m', patchWith({ op: 'replace', path: '/spec/replicas', value: 7 }));
    const scaled = await send('PATCH', `${deployments}/d/scale`, { spec: { replicas: 3 } }, merge);
    assert.match(scaled.text, /"replicas":7/);
    world.at('/m', respond({}));
    assert.match((await send('GET', `${deployments}/d`)).text, /"replicas":7/);
  });

  it('cannot be changed where there is no object', async () => {
    world.at('/m', patchWith({ op: 'add', path: '/data', value: {} }));
    const refused = await send('DELETE', `${namespace}/pods/p`);
    assert.equal(refused.status, 500);
    assert.match(refused.text, /attempted to modify the object, which is not supported for this operation/);
  });
});
