import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { messageOf } from './quotas.ts';

const enabled = [
  'AlwaysAdmit',
  'AlwaysPullImages',
  'DenyServiceExternalIPs',
  'ExtendedResourceToleration',
  'LimitPodHardAntiAffinityTopology',
  'NamespaceExists',
  'PodNodeSelector',
  'PodTolerationRestriction',
  'SecurityContextDeny',
];
const namespace = '/api/v1/namespaces/n';
const mergePatch = { 'content-type': 'application/merge-patch+json' };

const container: JsonObject = { name: 'c', image: 'a', imagePullPolicy: 'Never' };
const podOf = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'p' },
  spec: { containers: [container], ...spec },
});
const dedicated = { key: 'dedicated', operator: 'Exists' };

/** A Pod that a plugin refuses. */
const refusedPods: readonly (readonly [plugin: string, spec: JsonObject, why: string])[] = [
  ['SecurityContextDeny', { securityContext: { runAsUser: 0 } }, 'pod.Spec.SecurityContext.RunAsUser is forbidden'],
  ['SecurityContextDeny', { securityContext: { fsGroup: 1 } }, 'pod.Spec.SecurityContext.FSGroup is forbidden'],
  [
    'SecurityContextDeny',
    { containers: [{ ...container, securityContext: { seLinuxOptions: { level: 's0' } } }] },
    'SecurityContext.SELinuxOptions is forbidden',
  ],
  [
    'LimitPodHardAntiAffinityTopology',
    { affinity: antiAffinity('requiredDuringSchedulingIgnoredDuringExecution', { topologyKey: 'zone' }) },
    'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key cluster.io/hostname is allowed',
  ],
  [
    'PodNodeSelector',
    { nodeSelector: { disk: 'tape' } },
    'pod node label selector conflicts with its namespace node label selector',
  ],
];

function antiAffinity(rule: string, term: JsonObject): JsonObject {
  return { podAntiAffinity: { [rule]: [{ labelSelector: {}, ...term }] } };
}

describe('optional admission plugins', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ admissionPlugins: { enabled, disabled: [] }, store: 'memory' });
    const annotations = {
      'scheduler.alpha.cluster.io/node-selector': 'disk=ssd',
      'scheduler.alpha.cluster.io/defaultTolerations': JSON.stringify([dedicated]),
      'scheduler.alpha.cluster.io/tolerationsWhitelist': JSON.stringify([
        dedicated,
        { key: 'example.com/gpu', operator: 'Exists' },
        { operator: 'Exists', effect: 'NoExecute' },
      ]),
    };
    const { status, text } = await send('POST', '/api/v1/namespaces', { metadata: { name: 'n', annotations } });
    assert.equal(status, 201, text);
  });
  after(() => server.stop());

  const send = (method: string, path: string, body?: JsonObject, headers?: Record<string, string>) =>
    request(server, method, path, body, headers);
  const tryPod = (spec: JsonObject): Promise<HttpResponse> => send('POST', `${namespace}/pods?dryRun=All`, podOf(spec));
  const specOf = async (spec: JsonObject): Promise<JsonObject> => {
    const { status, body, text } = await tryPod(spec);
    assert.equal(status, 201, text);
    return objectAt(body as JsonObject, 'spec');
  };

  for (const [plugin, spec, why] of refusedPods) {
    it(`refuse a Pod: ${plugin}, ${why}`, async () => {
      const refused = await tryPod(spec);
      assert.equal(refused.status, 403, refused.text);
      assert.equal(messageOf(refused), `pods "p" is forbidden: ${why}`);
    });
  }

  it('refuse tolerations that the namespace does not list', async () => {
    const refused = await tryPod({ tolerations: [{ key: 'other', operator: 'Exists' }] });
    assert.equal(refused.status, 403);
    assert.equal(
      messageOf(refused),
      'pods "p" is forbidden: pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
    );
  });

  it('complete a Pod', async () => {
    const resources = { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } };
    const spec = await specOf({ containers: [{ ...container, resources }] });
    assert.equal(objectsAt(spec, 'containers')[0]?.['imagePullPolicy'], 'Always');
    assert.deepEqual(spec['nodeSelector'], { disk: 'ssd' });
    const keys = objectsAt(spec, 'tolerations').map(({ key }) => key);
    const expected = ['node.cluster.io/not-ready', 'node.cluster.io/unreachable', 'dedicated', 'example.com/gpu'];
    assert.deepEqual(keys, expected);
  });

  it('let pass what they allow', async () => {
    const affinity = antiAffinity('requiredDuringSchedulingIgnoredDuringExecution', {
      topologyKey: 'cluster.io/hostname',
    });
    await specOf({ affinity, securityContext: { runAsNonRoot: true } });
  });

  it('pull the image that an update brings', async () => {
    assert.equal(
      (await send('POST', `${namespace}/pods`, { ...podOf({}), metadata: { name: 'changed' } })).status,
      201,
    );
    const patch = { spec: { containers: [{ name: 'c', image: 'b' }] } };
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    const { status, body, text } = await send('PATCH', `${namespace}/pods/changed`, patch, headers);
    assert.equal(status, 200, text);
    assert.equal(objectsAt(objectAt(body as JsonObject, 'spec'), 'containers')[0]?.['imagePullPolicy'], 'Always');
  });

  it('refuse external addresses that a Service does not have yet', async () => {
    const ports = [{ port: 80 }];
    const refusal = 'services "s" is forbidden: Use of external IPs is denied by admission control';
    const external = { metadata: { name: 's' }, spec: { ports, externalIPs: ['1.2.3.4'] } };
    assert.equal(messageOf(await send('POST', `${namespace}/services`, external)), refusal);
    assert.equal(
      (await send('POST', `${namespace}/services`, { metadata: { name: 's' }, spec: { ports } })).status,
      201,
    );
    const patch = { spec: { externalIPs: ['1.2.3.4'] } };
    assert.equal(messageOf(await send('PATCH', `${namespace}/services/s`, patch, mergePatch)), refusal);
    assert.equal(
      (await send('PATCH', `${namespace}/services/s`, { spec: { externalIPs: null } }, mergePatch)).status,
      200,
    );
  });

  it('refuse every write in a namespace that is gone', async () => {
    const refused = await send('DELETE', '/api/v1/namespaces/gone/configmaps/c');
    assert.equal(refused.status, 404);
    const created = await send('POST', '/api/v1/namespaces/gone/configmaps', { metadata: { name: 'c' } });
    assert.equal(messageOf(created), 'namespaces "gone" not found');
  });
});

describe('AlwaysDeny', () => {
  it('refuses every write, but the server has its own objects and is ready', async () => {
    await using server = await startServer({
      admissionPlugins: { enabled: ['AlwaysDeny'], disabled: [] },
      store: 'memory',
    });
    assert.equal((await request(server, 'GET', '/readyz')).status, 200);
    assert.equal((await request(server, 'GET', '/api/v1/namespaces/cl-system')).status, 200);
    const end = 'is forbidden: admission control is denying all modifications';
    const writes: readonly (readonly [method: string, path: string, subject: string, body?: JsonObject])[] = [
      ['POST', '/api/v1/namespaces', 'namespaces "n"', { metadata: { name: 'n' } }],
      ['PATCH', '/api/v1/namespaces/default', 'namespaces "default"', { metadata: { labels: { a: 'b' } } }],
      ['DELETE', '/apis/flowcontrol.cl.io/v1beta2/flowschemas/catch-all', 'flowschemas.flowcontrol.cl.io "catch-all"'],
      ['POST', '/api/v1/namespaces/default/configmaps', 'configmaps "c"', { metadata: { name: 'c' } }],
    ];
    for (const [method, path, subject, body] of writes) {
      const refused = await request(server, method, path, body, method === 'PATCH' ? mergePatch : {});
      assert.equal(refused.status, 403, refused.text);
      assert.equal(messageOf(refused), `${subject} ${end}`);
    }
    assert.equal((await request(server, 'GET', '/api/v1/configmaps')).status, 200);
  });

  it('refuses a client that has the name of the server', async () => {
    const own = { username: 'system:apiserver', groups: ['system:masters'], token: 'own' };
    const admissionPlugins = { enabled: ['AlwaysDeny'], disabled: [] };
    await using server = await startServer({ admissionPlugins, tokens: [own], store: 'memory' });
    const as = { url: server.url, ca: server.ca, token: 'own' };
    const { status } = await request(as, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'c' } });
    assert.equal(status, 403);
  });
});
