import assert from 'node:assert/strict';
import { startServer } from '../../src/testing/index.ts';
import { readEvents, request } from './http-client.ts';
import { until } from './until.ts';

describe('starting and stopping', () => {
  it('starts in process, ready to serve', async () => {
    await using server = await startServer({ store: 'memory' });
    const response = await request(server, 'GET', '/readyz');
    assert.equal(response.status, 200, response.text);
  });

  it('lists the parts of its start by the names that monitoring of Kubernetes knows', async () => {
    await using server = await startServer({
      store: 'memory',
      identifiers: 'kubernetes',
      authorizationMode: ['RBAC'],
    });
    const parts = [
      'start-kube-apiserver-admission-initializer',
      'generic-apiserver-start-informers',
      'start-apiextensions-informers',
      'start-apiextensions-controllers',
      'crd-informer-synced',
      'bootstrap-controller',
      'rbac/bootstrap-roles',
      'scheduling/bootstrap-system-priority-classes',
      'priority-and-fairness-config-producer',
      'start-cluster-authentication-info-controller',
      'start-kube-aggregator-informers',
      'apiservice-registration-controller',
      'apiservice-status-available-controller',
      'kube-apiserver-autoregistration',
      'apiservice-openapi-controller',
    ];
    const names = [...parts.map((name) => `poststarthook/${name}`), 'autoregister-completion'];
    for (const path of ['/healthz', '/livez', '/readyz']) {
      const { text } = await request(server, 'GET', `${path}?verbose=1`);
      const passed = new Set(text.split('\n'));
      assert.deepEqual(
        names.filter((name) => !passed.has(`[+]${name} ok`)),
        [],
        path,
      );
    }
  });

  it('closes with watches open, which end cleanly', async () => {
    const server = await startServer();
    const watches = Array.from({ length: 20 }, () => readEvents(server, '/api/v1/namespaces?watch=1'));
    await until('every watch to have begun', () => watches.every((watch) => watch.events.length >= 4));
    await server.stop();
    await until('every watch to have ended', () => watches.every((watch) => watch.ended));
  });

  it('runs several servers with different identifiers in one process', async () => {
    await using one = await startServer({ identifiers: 'cluster' });
    await using two = await startServer({ identifiers: 'kubernetes' });
    const groups = async (server: typeof one): Promise<string[]> => {
      const { body } = await request(server, 'GET', '/apis');
      return (body as { groups: { name: string }[] }).groups.map((group) => group.name);
    };
    assert.ok((await groups(one)).includes('networking.cl.io'));
    assert.ok((await groups(two)).includes('networking.k8s.io'));
    const namespaces = async (server: typeof one): Promise<string[]> => {
      const { body } = await request(server, 'GET', '/api/v1/namespaces');
      return (body as { items: { metadata: { name: string } }[] }).items.map((item) => item.metadata.name);
    };
    assert.deepEqual(await namespaces(one), ['cl-node-lease', 'cl-public', 'cl-system', 'default']);
    assert.deepEqual(await namespaces(two), ['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  });
});
