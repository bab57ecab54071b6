import assert from 'node:assert/strict';
import type { JsonValue } from '../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { define, widgetsAt, widgetsIn } from './custom-resources/widgets.ts';
import { type HttpResponse, request } from './http-client.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const widgets = widgetsAt('types.example');
const undeterminable = 'the name of the object (a based on URL) was undeterminable: name must be provided';

describe('patches of the type of an object', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
    await define(server, widgetsIn('types.example'));
    await request(server, 'POST', maps, { metadata: { name: 'a' } });
    const widget = { apiVersion: 'types.example/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
    const created = await request(server, 'POST', widgets, widget);
    assert.equal(created.status, 201, created.text);
  });
  after(() => server.stop());

  const patch = (path: string, type: string, body: JsonValue): Promise<HttpResponse> =>
    request(server, 'PATCH', path, body, { 'content-type': `application/${type}+json` });

  const builtIn: readonly (readonly [what: string, patch: JsonValue, status: number, message: string])[] = [
    ['no apiVersion', { apiVersion: null }, 400, undeterminable],
    ['an empty apiVersion', { apiVersion: '' }, 400, undeterminable],
    ['neither kind nor apiVersion', { kind: null, apiVersion: null }, 400, undeterminable],
    ['an apiVersion of three parts', { apiVersion: 'a/b/c' }, 422, 'unexpected GroupVersion string: a/b/c'],
    [
      'an apiVersion that is no text',
      { apiVersion: {} },
      422,
      "couldn't get version/kind; json parse error: json: cannot unmarshal object into Go struct field .apiVersion of type string",
    ],
    ['another kind', { kind: 'Secret' }, 422, 'kind and apiVersion must stay ConfigMap and v1'],
    ['another kind without apiVersion', { kind: 'Secret', apiVersion: null }, 422, 'must stay ConfigMap and v1'],
  ];
  for (const [what, body, status, message] of builtIn) {
    it(`answer ${status} to ${what} for a built-in kind`, async () => {
      const response = await patch(`${maps}/a`, 'merge-patch', body);
      assert.equal(response.status, status, response.text);
      assert.ok((response.body as { message: string }).message.endsWith(message), response.text);
    });
  }

  it('answer 400 to a JSON patch that removes the apiVersion', async () => {
    const removal = [{ op: 'remove', path: '/apiVersion' }];
    const response = await patch(`${maps}/a`, 'json-patch', removal);
    assert.equal(response.status, 400);
    assert.equal((response.body as { message: string }).message, undeterminable);
  });

  it('let a strategic patch remove both, which it cannot', async () => {
    assert.equal((await patch(`${maps}/a`, 'strategic-merge-patch', { kind: null, apiVersion: null })).status, 200);
  });

  it('answer 422 for a custom kind, whose objects name both', async () => {
    const kind = await patch(`${widgets}/a`, 'merge-patch', { kind: null });
    assert.equal(kind.status, 422);
    assert.match(kind.text, /patch: Invalid value: .*Object 'Kind' is missing in '\{/);
    const version = await patch(`${widgets}/a`, 'merge-patch', { apiVersion: null });
    assert.equal(version.status, 422);
    assert.match(version.text, /apiVersion: Invalid value: .*must be /);
    const parts = await patch(`${widgets}/a`, 'merge-patch', { apiVersion: 'a/b/c' });
    assert.match(parts.text, /patch: Invalid value: .*unexpected GroupVersion string: a\/b\/c"/);
  });

  it('write the object in the other version that they name', async () => {
    const scalers = (version: string): string =>
      `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
    const spec = {
      maxReplicas: 3,
      scaleTargetRef: { kind: 'Deployment', name: 'x' },
      targetCPUUtilizationPercentage: 40,
    };
    await request(server, 'POST', scalers('v1'), { metadata: { name: 'a' }, spec });
    const metric = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 7 } },
    };
    const patched = await patch(`${scalers('v1')}/a`, 'merge-patch', {
      apiVersion: 'autoscaling/v2',
      spec: { metrics: [metric] },
    });
    assert.equal(patched.status, 200, patched.text);
    const body = patched.body as { apiVersion: string; spec: { targetCPUUtilizationPercentage: number } };
    assert.deepEqual([body.apiVersion, body.spec.targetCPUUtilizationPercentage], ['autoscaling/v1', 7]);
    const status = await patch(`${scalers('v2')}/a/status`, 'merge-patch', {
      apiVersion: 'autoscaling/v1',
      status: { currentReplicas: 2 },
    });
    assert.equal(status.status, 200, status.text);
    assert.equal((status.body as { status: { currentReplicas: number } }).status.currentReplicas, 2);
  });

  it('write the object in the version of another group that serves it', async () => {
    const events = '/api/v1/namespaces/default/events';
    await request(server, 'POST', events, { metadata: { name: 'a' }, involvedObject: { namespace: 'default' } });
    const patched = await patch(`${events}/a`, 'merge-patch', {
      apiVersion: 'events.cl.io/v1',
      note: 'n',
      regarding: { namespace: 'default' },
    });
    assert.equal(patched.status, 200, patched.text);
    const body = patched.body as { apiVersion: string; message: string };
    assert.deepEqual([body.apiVersion, body.message], ['v1', 'n']);
  });

  it('are quoted where a created object has a malformed apiVersion', async () => {
    for (const path of [maps, widgets]) {
      const response = await request(server, 'POST', path, { apiVersion: 'a/b/c', metadata: { name: 'x' } });
      assert.equal(response.status, 400);
      assert.match(
        response.text,
        /is unrecognized \(must be of type \w+\): unexpected GroupVersion string: a\/b\/c \(/,
      );
    }
  });
});
