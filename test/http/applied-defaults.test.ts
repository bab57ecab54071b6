import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const applyType = { 'content-type': 'application/apply-patch+yaml' };
const group = { networkpolicies: 'networking.k8s.io', deployments: 'apps' } as const;
const kind = { networkpolicies: 'NetworkPolicy', deployments: 'Deployment' } as const;

describe('defaults of what an applier no longer applies', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
  });
  after(() => server.stop());

  let serial = 0;

  /** Applies one configuration after the other as one manager, and answers the last object. */
  async function applied(resource: keyof typeof group, ...specs: readonly (JsonObject | undefined)[]) {
    const name = `defaults-${++serial}`;
    const path = `/apis/${group[resource]}/v1/namespaces/default/${resource}/${name}?fieldManager=me`;
    let object: JsonObject = {};
    for (const spec of specs) {
      const document = {
        apiVersion: `${group[resource]}/v1`,
        kind: kind[resource],
        metadata: { name },
        ...(spec ? { spec } : {}),
      };
      const response = await request(server, 'PATCH', path, document, applyType);
      assert.ok(response.status === 200 || response.status === 201, response.text);
      // Every answer of 200 or 201 here is an object of the kind.
      object = response.body as JsonObject;
    }
    return objectAt(object, 'spec');
  }

  const app = { matchLabels: { app: 'x' } };
  const deployment = (pod: JsonObject, container: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
    selector: app,
    template: {
      metadata: { labels: { app: 'x' } },
      spec: { containers: [{ name: 'c', image: 'i', ...container }], ...pod },
    },
    ...rest,
  });
  const podOf = (spec: JsonObject): JsonObject => objectAt(spec, 'template', 'spec');

  it('stay in the spec that every object has: a policy goes on to isolate in both directions', async () => {
    const rules = { podSelector: app, ingress: [{}], egress: [{}] };
    assert.deepEqual(await applied('networkpolicies', rules, undefined), {
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('go with an optional struct: a probe that is applied no longer', async () => {
    const spec = await applied(
      'deployments',
      deployment({}, { livenessProbe: { httpGet: { port: 80 } } }),
      deployment({}),
    );
    assert.equal(objectsAt(podOf(spec), 'containers')[0]?.['livenessProbe'], undefined);
  });

  it('go with a struct of which another takes the place: the source of a volume', async () => {
    const volume = (source: JsonObject): JsonObject => deployment({ volumes: [{ name: 'v', ...source }] });
    const spec = await applied('deployments', volume({ secret: { secretName: 's' } }), volume({ emptyDir: {} }));
    assert.deepEqual(objectsAt(podOf(spec), 'volumes'), [{ name: 'v', emptyDir: {} }]);
  });

  it('go with a struct that would contradict what is applied: the parameters of another strategy', async () => {
    const rolling = deployment({}, {}, { strategy: { rollingUpdate: { maxSurge: 1 } } });
    const spec = await applied('deployments', rolling, deployment({}, {}, { strategy: { type: 'Recreate' } }));
    assert.deepEqual(objectAt(spec, 'strategy'), { type: 'Recreate' });
  });

  it('come back where a struct has to have some', async () => {
    const rolling = deployment({}, {}, { strategy: { rollingUpdate: { maxSurge: 1 } } });
    const spec = await applied('deployments', rolling, deployment({}));
    assert.deepEqual(objectAt(spec, 'strategy'), {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
    });
  });
});
