import assert from 'node:assert/strict';
import { type Client, createClient } from '../../../src/client/client.ts';
import { discover, discoverVersion } from '../../../src/client/discovery.ts';
import { findResource, suggestResources } from '../../../src/client/find-resource.ts';
import { answer, startTlsServer, type TlsServer } from '../outbound/start-tls-server.ts';

const version = (name: string, resources: unknown[]) => ({ version: name, freshness: 'Current', resources });
const aggregated = (
  resource: string,
  kind: string,
  singularResource: string,
  shortNames: string[],
  scope = 'Namespaced',
) => ({
  resource,
  responseKind: { group: '', version: 'v1', kind },
  scope,
  singularResource,
  shortNames,
  verbs: ['get', 'list'],
});

const core = {
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: {},
      versions: [
        version('v1', [
          aggregated('events', 'Event', 'event', ['ev']),
          aggregated('namespaces', 'Namespace', 'namespace', ['ns'], 'Cluster'),
          aggregated('pods', 'Pod', 'pod', ['po']),
        ]),
      ],
    },
  ],
};
const groups = {
  kind: 'APIGroupDiscoveryList',
  items: [
    { metadata: { name: 'events.cl.io' }, versions: [version('v1', [aggregated('events', 'Event', 'event', ['ev'])])] },
    {
      metadata: { name: 'autoscaling' },
      versions: ['v2', 'v1'].map((name) =>
        version(name, [
          aggregated('horizontalpodautoscalers', 'HorizontalPodAutoscaler', 'horizontalpodautoscaler', ['hpa']),
        ]),
      ),
    },
  ],
};

const plain: Record<string, unknown> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'autoscaling',
        versions: [{ version: 'v1' }, { version: 'v2' }],
        preferredVersion: { version: 'v2' },
      },
    ],
  },
  '/api/v1': {
    kind: 'APIResourceList',
    resources: [
      { name: 'pods', kind: 'Pod', namespaced: true, singularName: '', shortNames: ['po'], verbs: ['get'] },
      { name: 'pods/status', kind: 'Pod', namespaced: true, singularName: '', verbs: ['get'] },
    ],
  },
  '/apis/autoscaling/v1': { kind: 'APIResourceList', resources: [{ name: 'hpas', kind: 'HPA', namespaced: true }] },
  '/apis/autoscaling/v2': { kind: 'APIResourceList', resources: [{ name: 'hpas', kind: 'HPA', namespaced: true }] },
};

describe('discovery', () => {
  let server: TlsServer;
  let client: Client;
  before(async () => {
    server = await startTlsServer();
    client = createClient(server.settings);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  beforeEach(() => {
    server.seen.length = 0;
  });

  const serveAggregated = () => {
    server.handle = ({ url }, response) => answer(response, 200, url === '/api' ? core : groups);
  };
  const servePlain = () => {
    server.handle = ({ url }, response) =>
      plain[url]
        ? answer(response, 200, plain[url])
        : answer(response, 404, { kind: 'Status', code: 404, reason: 'NotFound' });
  };

  it('takes two requests where it is aggregated, whatever the identifiers', async () => {
    serveAggregated();
    const resources = await discover(client);
    assert.deepEqual(server.seen.map(({ url }) => url).toSorted(), ['/api', '/apis']);
    const accept = server.seen[0]?.headers.accept ?? '';
    assert.match(accept, /g=apidiscovery\.cl\.io;v=v2;as=APIGroupDiscoveryList/);
    assert.match(accept, /g=apidiscovery\.k8s\.io;v=v2;as=APIGroupDiscoveryList/);
    assert.deepEqual(resources[1], {
      group: '',
      version: 'v1',
      resource: 'namespaces',
      namespaced: false,
      kind: 'Namespace',
      singular: 'namespace',
      shortNames: ['ns'],
      categories: [],
      verbs: ['get', 'list'],
    });
  });

  it('reads plain documents too, the preferred version first, without sub-resources', async () => {
    servePlain();
    const resources = await discover(client);
    assert.deepEqual(
      resources.map((entry) => `${entry.resource}.${entry.version}.${entry.group}`),
      ['pods.v1.', 'hpas.v2.autoscaling', 'hpas.v1.autoscaling'],
    );
  });

  it('of one version says when there is none', async () => {
    servePlain();
    assert.equal((await discoverVersion(client, '', 'v1'))?.length, 1);
    assert.equal(await discoverVersion(client, 'nothing', 'v1'), undefined);
  });

  it('finds what a user means', async () => {
    serveAggregated();
    const resources = await discover(client);
    const expected: Record<string, string | undefined> = {
      pods: 'pods.v1.',
      Pod: 'pods.v1.',
      po: 'pods.v1.',
      ev: 'events.v1.',
      'events.events.cl.io': 'events.v1.events.cl.io',
      'ev.v1.events.cl.io': 'events.v1.events.cl.io',
      'pods.v1': 'pods.v1.',
      hpa: 'horizontalpodautoscalers.v2.autoscaling',
      'hpa.v1.autoscaling': 'horizontalpodautoscalers.v1.autoscaling',
      'hpa.v3.autoscaling': undefined,
      nothing: undefined,
      '': undefined,
    };
    for (const [argument, name] of Object.entries(expected)) {
      const found = findResource(resources, argument);
      assert.equal(found && `${found.resource}.${found.version}.${found.group}`, name, argument);
    }
    assert.deepEqual(suggestResources(resources, 'pdos'), ['pods']);
    assert.deepEqual(suggestResources(resources, 'evnts'), ['events']);
    assert.deepEqual(suggestResources(resources, 'xyzzy'), []);
  });
});
