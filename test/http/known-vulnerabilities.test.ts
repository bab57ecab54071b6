import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { define } from './custom-resources/widgets.ts';
import { type HttpResponse, request } from './http-client.ts';

const group = 'stories.example.com';

/** A definition of a kind with any content. */
function definitionOf(plural: string, kind: string, scope: 'Cluster' | 'Namespaced'): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-cluster-preserve-unknown-fields': true } };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/**
 * Public vulnerabilities of kube-apiserver (docs/threats.md) that no other story shows to be
 * absent here.
 */
describe('vulnerabilities of other API servers', () => {
  let server: TestServer;
  const send = (method: string, path: string, body?: unknown, headers = {}): Promise<HttpResponse> =>
    request(server, method, path, body, headers);
  const create = async (path: string, kind: string, name: string): Promise<void> => {
    const object = { apiVersion: `${group}/v1`, kind, metadata: { name } };
    assert.equal((await send('POST', path, object)).status, 201);
  };

  before(async () => {
    server = await startServer({ store: 'memory' });
    await Promise.all([
      define(server, definitionOf('gears', 'Gear', 'Namespaced')),
      define(server, definitionOf('gearsets', 'GearSet', 'Namespaced')),
      define(server, definitionOf('machines', 'Machine', 'Cluster')),
    ]);
    await create(`/apis/${group}/v1/namespaces/default/gears`, 'Gear', 'a');
    await create(`/apis/${group}/v1/namespaces/default/gearsets`, 'GearSet', 'secret');
    await create(`/apis/${group}/v1/machines`, 'Machine', 'm');
  });
  after(() => server.stop());

  it('CVE-2019-11247: an object of the cluster is not in a namespace, nor the other way round', async () => {
    const object = { apiVersion: `${group}/v1`, kind: 'Machine', metadata: { name: 'm' } };
    const inNamespace = `/apis/${group}/v1/namespaces/default/machines`;
    for (const [method, path, body] of [
      ['GET', inNamespace],
      ['GET', `${inNamespace}/m`],
      ['GET', `${inNamespace}?watch=true`],
      ['PUT', `${inNamespace}/m`, object],
      ['POST', inNamespace, object],
      ['DELETE', `${inNamespace}/m`],
      ['DELETE', inNamespace],
      ['GET', `/apis/${group}/v1/gears/a`],
      ['DELETE', `/apis/${group}/v1/gears/a`],
    ] as const) {
      const { status } = await send(method, path, body);
      assert.ok(status === 404 || status === 405, `${method} ${path}: ${status}`);
    }
    assert.equal((await send('GET', `/apis/${group}/v1/machines/m`)).status, 200);
    assert.equal((await send('GET', `/apis/${group}/v1/namespaces/default/gears/a`)).status, 200);
  });

  it('CVE-2022-3162: a list of one custom kind never has objects of another in its group', async () => {
    const namesOf = async (path: string): Promise<readonly string[]> => {
      const { body } = await send('GET', path);
      return (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
    };
    for (const path of [`/apis/${group}/v1/gears`, `/apis/${group}/v1/namespaces/default/gears`]) {
      assert.deepEqual(await namesOf(path), ['a']);
    }
    for (const namespace of [
      '..',
      '%2e%2e',
      '..%2fgearsets',
      '..%2fgearsets%2fdefault',
      'default%2f..%2f..%2fgearsets',
    ]) {
      for (const query of ['', '?watch=true&timeoutSeconds=1']) {
        const { status, text } = await send('GET', `/apis/${group}/v1/namespaces/${namespace}/gears${query}`);
        assert.ok(!text.includes('secret'), namespace);
        assert.ok(status !== 500, namespace);
      }
    }
  });

  it('CVE-2019-1002100: a JSON patch that doubles its object again and again is refused', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    await send('POST', path, { metadata: { name: 'doubled' }, data: { a: 'x'.repeat(1000) } });
    const patch = [
      { op: 'copy', from: '/data', path: '/metadata/annotations' },
      ...Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '', path: `/x${index}` })),
    ];
    const response = await send('PATCH', `${path}/doubled`, patch, { 'content-type': 'application/json-patch+json' });
    assert.ok(response.status >= 400 && response.status < 500, String(response.status));
    assert.equal((await send('GET', `${path}/doubled`)).status, 200);
  });

  it('CVE-2024-0793: annotations of an autoscaler that are no metrics harm no reader', async () => {
    const path = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
    const values = [
      '[null]',
      '[{}]',
      '{}',
      'null',
      '[{"type":"ContainerResource"}]',
      '[{"type":"Pods","pods":null}]',
      'x',
    ];
    for (const [index, value] of values.entries()) {
      for (const name of ['metrics', 'current-metrics', 'conditions', 'behavior']) {
        const annotations = { [`autoscaling.alpha.cluster.io/${name}`]: value };
        const spec = { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } };
        const response = await send('POST', path, { metadata: { name: `${name}-${index}`, annotations }, spec });
        assert.ok([201, 400, 422].includes(response.status), `${name} ${value}: ${response.status}`);
      }
    }
    for (const version of ['v1', 'v2']) {
      const response = await send('GET', path.replace('/v1/', `/${version}/`));
      assert.equal(response.status, 200);
    }
  });
});
