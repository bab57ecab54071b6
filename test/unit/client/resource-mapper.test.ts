import assert from 'node:assert/strict';
import { type Client, createClient } from '../../../src/client/client.ts';
import { createResourceMapper } from '../../../src/client/resource-mapper.ts';
import { answer, startTlsServer, type TlsServer } from '../outbound/start-tls-server.ts';

describe('the mapping of kinds to resources', () => {
  let server: TlsServer;
  let client: Client;
  let widgets: boolean;
  let broken: boolean;
  before(async () => {
    server = await startTlsServer();
    client = createClient(server.settings, { retries: 0 });
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  beforeEach(() => {
    server.seen.length = 0;
    widgets = false;
    broken = false;
    const resource = (name: string, kind: string) => ({
      name,
      kind,
      singularName: kind.toLowerCase(),
      namespaced: true,
    });
    const group = (name: string) => ({ name, versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } });
    const answers: Record<string, () => unknown> = {
      '/api': () => ({ kind: 'APIVersions', versions: ['v1'] }),
      '/api/v1': () => ({ resources: [resource('pods', 'Pod'), resource('pods/status', 'Pod')] }),
      '/apis': () => ({
        kind: 'APIGroupList',
        groups: [group('broken.io'), ...(widgets ? [group('example.com')] : [])],
      }),
      '/apis/broken.io/v1': () => ({ resources: [] }),
      '/apis/example.com/v1': () => ({ resources: [resource('widgets', 'Widget')] }),
    };
    server.handle = ({ url }, response) => {
      if (broken && url.startsWith('/apis/broken.io')) {
        answer(response, 503, { kind: 'Status', code: 503, reason: 'ServiceUnavailable', message: 'it is away' });
      } else answer(response, 200, answers[url]?.());
    };
  });
  const lists = () => server.seen.filter(({ url }) => url === '/api').length;

  it('discovers once for all callers', async () => {
    const mapper = createResourceMapper(client);
    const [pods, found] = await Promise.all([mapper.resourceOf('v1', 'Pod'), mapper.find('pod')]);
    assert.equal(pods.resource, 'pods');
    assert.equal(found, pods);
    assert.equal((await mapper.discovery()).resources.length, 1);
    assert.equal(lists(), 1);
    mapper.forget();
    await mapper.discovery();
    assert.equal(lists(), 2);
  });

  it('discovers again for a kind that is new, but not for each question', async () => {
    const mapper = createResourceMapper(client, { missIntervalMs: 60_000 });
    await mapper.discovery();
    await assert.rejects(mapper.resourceOf('example.com/v1', 'Widget'), {
      reason: 'NotFound',
      message: 'no matches for kind "Widget" in version "example.com/v1"',
    });
    assert.equal(lists(), 1);
    widgets = true;
    const eager = createResourceMapper(client, { missIntervalMs: -1 });
    await eager.discovery();
    widgets = false;
    await assert.rejects(eager.resourceOf('example.com/v2', 'Widget'), { reason: 'NotFound' });
    widgets = true;
    assert.equal((await eager.resourceOf('example.com/v1', 'Widget')).resource, 'widgets');
    assert.equal(lists(), 4);
  });

  it('leaves out a group that is away, and says so', async () => {
    broken = true;
    const mapper = createResourceMapper(client);
    assert.equal((await mapper.resourceOf('v1', 'Pod')).resource, 'pods');
    assert.deepEqual((await mapper.discovery()).failed, [{ groupVersion: 'broken.io/v1', message: 'it is away' }]);
  });
});
