import assert from 'node:assert/strict';
import { createClient } from '../../src/client/client.ts';
import { keepLeaseCandidate } from '../../src/client/lease-candidate.ts';
import { type Lease, runLeaderElection } from '../../src/client/leader-election.ts';
import { builtInResources } from '../../src/client/built-in-resources.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { until } from './until.ts';

const lease = '/apis/coordination.cl.io/v1/namespaces/cl-system/leases';

describe('leaders that the server elects', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      store: 'memory',
      emulatedRelease: '1.36',
      featureGates: ['CoordinatedLeaderElection=true'],
      runtimeConfig: ['coordination.cl.io/v1beta1=true'],
    });
  });
  after(() => server.stop());

  it('are the candidates with the oldest emulation version; other leaders yield to them', async () => {
    const stop = new AbortController();
    const client = createClient({ server: server.url, ca: server.ca, token: server.token, namespace: 'default' });
    const { leasecandidates, leases } = builtInResources('cluster');
    const [namespace, leaseName] = ['cl-system', 'component'];
    const leading: string[] = [];
    const run = (identity: string, emulationVersion: string) => {
      const onError = () => {};
      const candidates = client.resource(leasecandidates);
      const versions = { binaryVersion: '1.36.0', emulationVersion };
      const options = { candidates, namespace, name: identity, leaseName, ...versions, onError };
      const lead = async (signal: AbortSignal): Promise<void> => {
        leading.push(identity);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        leading.splice(leading.indexOf(identity), 1);
      };
      const times = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryPeriodMs: 100 };
      const election = { ...times, leases: client.resource<Lease>(leases), namespace, name: leaseName, identity, lead };
      const again = async (): Promise<void> => {
        while (!stop.signal.aborted) await runLeaderElection({ ...election, coordinated: true, onError }, stop.signal);
      };
      return Promise.all([keepLeaseCandidate(options, stop.signal), again()]);
    };
    const runs = [run('newer', '1.36.0')];
    await until('the first candidate to lead', () => leading.join() === 'newer');
    runs.push(run('older', '1.35.0'));
    await until('the older one to lead', () => leading.join() === 'older');
    const { body } = await request(server, 'GET', `${lease}/component`);
    const { spec } = body as Lease;
    assert.deepEqual([spec?.strategy, spec?.holderIdentity], ['OldestEmulationVersion', 'older']);
    stop.abort();
    await Promise.all(runs);
    await client.close();
  });

  it('are elected by one server, which holds a Lease', async () => {
    const { body } = await request(server, 'GET', `${lease}/leader-election-controller`);
    assert.equal((body as Lease).spec?.leaseDurationSeconds, 15);
  });
});
