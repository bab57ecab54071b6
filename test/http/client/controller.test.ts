import assert from 'node:assert/strict';
import {
  type Client,
  controller,
  type ControllerOptions,
  createClient,
  createEventRecorder,
  createInformerFactory,
  type GenericObject,
  type Lease,
  runLeaderElection,
  watched,
} from '../../../src/client/index.ts';
import { whenAborted } from '../../../src/async/abort-signals.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';
import { connectionTo } from './connection-to.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' } as const;
const secrets = { group: '', version: 'v1', resource: 'secrets' } as const;
const events = { group: '', version: 'v1', resource: 'events' } as const;
const leases = { group: 'coordination.cl.io', version: 'v1', resource: 'leases' } as const;

const configMap = (name: string, data: Record<string, string> = {}): GenericObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

describe('programs that control a server', () => {
  let server: TestServer;
  let client: Client;
  let stop: AbortController;
  let running: Promise<void>[];
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());
  beforeEach(() => {
    client = createClient(connectionTo(server));
    stop = new AbortController();
    running = [];
  });
  afterEach(async () => {
    stop.abort();
    await Promise.all(running);
    for (const reference of [configMaps, secrets, events]) {
      await client.resource(reference).deleteCollection({ namespace: 'default' });
    }
    await client.close();
  });

  const run = (options: Omit<ControllerOptions, 'name' | 'informers' | 'for'>) => {
    const informers = createInformerFactory(client, { signal: stop.signal });
    const select = { namespace: 'default', fieldSelector: 'metadata.name!=root-ca' };
    const created = controller({ name: 'test', informers, for: configMaps, select, ...options });
    running.push(created.run(stop.signal));
    return created;
  };

  it('make what objects own, and make it again when it is deleted', async () => {
    const secretClient = client.resource(secrets);
    run({
      owns: [secrets],
      async reconcile({ object, name, namespace }) {
        if (!object?.metadata) return;
        const { uid = '' } = object.metadata;
        const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid, controller: true };
        const metadata = { name: `of-${name}`, namespace, ownerReferences: [owner] };
        const secret = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { of: name } };
        await secretClient.apply(secret, { fieldManager: 'test' });
      },
    });
    await client.resource(configMaps).create(configMap('a'));
    const uid = async () => (await secretClient.get('of-a').catch(() => undefined))?.metadata?.uid;
    await until('the secret to be made', async () => (await uid()) !== undefined);
    const first = await uid();
    await secretClient.delete('of-a');
    await until('another secret to be made', async () => ![undefined, first].includes(await uid()));
  });

  it('see changes of what their objects refer to, and deletions', async () => {
    const seen: string[] = [];
    run({
      watches: [watched(secrets, ({ metadata }) => [{ namespace: 'default', name: metadata?.labels?.['for'] ?? '' }])],
      async reconcile({ name, object }) {
        seen.push(object ? name : `${name} is gone`);
      },
    });
    await client.resource(configMaps).create(configMap('b'));
    await until('the object', () => seen.includes('b'));
    seen.length = 0;
    await client.resource(secrets).create({ metadata: { name: 's', labels: { for: 'b' } } });
    await until('the change of the secret', () => seen.includes('b'));
    await client.resource(configMaps).delete('b');
    await until('the deletion', () => seen.includes('b is gone'));
  });

  it('try again after failures, and when they asked for it', async () => {
    const seen: number[] = [];
    const errors: string[] = [];
    run({
      retryRate: { initialMs: 1, maximumMs: 5 },
      onError: (_, { name }) => errors.push(name),
      async reconcile({ name, failures }) {
        if (name !== 'c') return {};
        seen.push(failures);
        if (seen.length < 4) throw new Error('not yet');
        if (seen.length < 6) return { requeueAfterMs: 1 };
        return {};
      },
    });
    await client.resource(configMaps).create(configMap('c'));
    await until('six calls', () => seen.length === 6);
    assert.deepEqual(seen, [0, 1, 2, 3, 0, 0]);
    assert.deepEqual(errors, ['c', 'c', 'c']);
  });

  it('are not called again for times that are not greater than 0', async () => {
    const seen = new Map<string, number>();
    const times = { zero: 0, negative: -1, nan: Number.NaN };
    run({
      async reconcile({ name }) {
        seen.set(name, (seen.get(name) ?? 0) + 1);
        return name in times ? { requeueAfterMs: times[name as keyof typeof times] } : {};
      },
    });
    for (const name of [...Object.keys(times), 'last']) await client.resource(configMaps).create(configMap(name));
    await until('the last object', () => seen.has('last'));
    // Enough turns for a thousand calls.
    for (let turn = 0; turn < 1000; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const name of Object.keys(times)) assert.equal(seen.get(name), 1, name);
  });

  it('record what happens as Events, and count repetitions', async () => {
    const recorder = createEventRecorder(client, { component: 'test', signal: stop.signal });
    const object = await client.resource(configMaps).create(configMap('d'));
    for (let turn = 0; turn < 3; turn++) {
      recorder.record(object, { type: 'Warning', reason: 'Broken', message: 'it does not work' });
    }
    recorder.record(object, { type: 'Normal', reason: 'Mended', message: 'it works' });
    await recorder.flush();
    const { items } = await client
      .resource(events)
      .list({ fieldSelector: `involvedObject.uid=${object.metadata?.uid}` });
    const shown = items.map(({ reason, count, message, type, reportingComponent }) =>
      JSON.stringify([reason, count, message, type, reportingComponent]),
    );
    assert.deepEqual(
      new Set(shown),
      new Set(['["Broken",3,"it does not work","Warning","test"]', '["Mended",1,"it works","Normal","test"]']),
    );
  });

  it('record Events of the newer group as series of occurrences', async () => {
    const group = 'events.cl.io';
    const recorder = createEventRecorder(client, { component: 'test', host: 'here', group, signal: stop.signal });
    const object = await client.resource(configMaps).create(configMap('e'));
    for (const message of ['one', 'two', 'three']) {
      recorder.record(object, { type: 'Warning', reason: 'Broken', message, action: 'Trying' });
    }
    recorder.record(object, { type: 'Warning', reason: 'Broken', message: 'four' });
    await recorder.flush();
    const { items } = await client.resource({ group, version: 'v1', resource: 'events' }).list();
    const shown = items
      .filter(({ regarding }) => (regarding as { uid?: string }).uid === object.metadata?.uid)
      .map(({ reason, action, note, reportingController, reportingInstance, series }) => [
        [reason, action, note, reportingController, reportingInstance],
        (series as { count?: number } | undefined)?.count,
      ]);
    const byText = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b));
    assert.deepEqual(shown.toSorted(byText), [
      [['Broken', 'Broken', 'four', 'test', 'test-here'], undefined],
      [['Broken', 'Trying', 'one', 'test', 'test-here'], 3],
    ]);
  });

  it('take over from a leader that stops, before their next attempt', async () => {
    const proxy = await startTcpProxy(server.port);
    const other = createClient(connectionTo(server, proxy.port));
    // The next attempt is long after the limit below, so that only the watch can lead to the takeover.
    const times = { leaseDurationMs: 900_000, renewDeadlineMs: 600_000, retryPeriodMs: 300_000 };
    const stops = [new AbortController(), new AbortController()];
    const led: number[] = [];
    const lead = (index: number) => async (signal: AbortSignal) => {
      led.push(index);
      await whenAborted(signal);
    };
    const elections = stops.map(async ({ signal }, index) => {
      const candidate = [client, other][index] ?? client;
      const options = { leases: candidate.resource<Lease>(leases), namespace: 'default', name: 'handover', ...times };
      if (index > 0) await until('the first to lead', () => led.length === 1);
      return runLeaderElection({ ...options, identity: `candidate ${index}`, lead: lead(index) }, signal);
    });
    await until('the second to watch', () => proxy.accepted === 2);
    stops[0]?.abort();
    await until('the second to lead', () => led.length === 2, 60_000);
    stops[1]?.abort();
    assert.deepEqual(await Promise.all(elections), ['stopped', 'stopped']);
    await other.close();
    await proxy.stop();
  });
});
