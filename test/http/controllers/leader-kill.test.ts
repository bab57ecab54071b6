import assert from 'node:assert/strict';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { createClient, hasReason, runLeaderElection } from '../../../src/client/index.ts';
import { startControllers } from '../../../src/controllers/manager/start-controllers.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { startServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { startTcpProxy } from '../client/tcp-proxy.ts';
import { until } from '../until.ts';

const { configmaps, leases, namespaces } = builtInResources('cluster');
/** For a busy machine, on which leaders may lose their lease. */
const patience = 150_000;
const times = { leaseDurationMs: 12_000, renewDeadlineMs: 10_000, retryPeriodMs: 250 };

describe('controllers whose leader is killed', () => {
  it('go on with what it began, in another instance', async () => {
    await using server = await startServer();
    const client = createClient(connectionTo(server));
    const stop = new AbortController();
    const leaders: number[] = [];
    const candidate = async (index: number, port: number): Promise<void> => {
      const settings = connectionTo(server, port);
      const own = createClient(settings);
      const lead = async (signal: AbortSignal): Promise<void> => {
        leaders.push(index);
        await startControllers({ settings, identifiers: identifiersOf('cluster') }, signal).ended;
      };
      const election = { namespace: 'default', name: 'controllers', identity: `candidate ${index}`, lead, ...times };
      const candidacy = { leases: own.resource(leases), ...election };
      while (!stop.signal.aborted) await runLeaderElection(candidacy, stop.signal);
      await own.close();
    };
    const proxy = await startTcpProxy(server.port);
    const running = [candidate(0, proxy.port)];
    await until('the first to lead', () => leaders.length === 1);
    running.push(candidate(1, server.port));

    await client.resource(namespaces).create({ metadata: { name: 'held' } });
    const options = { namespace: 'held' };
    const owner = await client.resource(configmaps).create({ metadata: { name: 'owner' } }, options);
    const { uid = '' } = owner.metadata ?? {};
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    const finalizers = ['example.com/hold'];
    await client.resource(configmaps).create({ metadata: { name: 'kept', finalizers, ownerReferences } }, options);
    await client.resource(namespaces).delete('held');
    await until(
      'the deletion to begin',
      async () => {
        const { status } = await client.resource(namespaces).get('held');
        return (status?.conditions ?? []).length > 0;
      },
      patience,
    );

    proxy.away = true;
    proxy.cut();
    await client.resource(configmaps).patch('kept', { metadata: { finalizers: null } }, { ...options, type: 'merge' });
    await until(
      'the namespace to go',
      () =>
        client
          .resource(namespaces)
          .get('held')
          .then(
            () => false,
            (error: unknown) => hasReason(error, 'NotFound'),
          ),
      patience,
    );
    assert.equal(leaders.at(-1), 1);
    stop.abort();
    await Promise.all(running);
    await client.close();
    await proxy.stop();
  });
});
