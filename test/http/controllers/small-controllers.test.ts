import assert from 'node:assert/strict';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Client, createClient, hasReason, StatusError } from '../../../src/client/index.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const { clusterroles, configmaps, jobs, persistentvolumeclaims, persistentvolumes, pods, resourcequotas } =
  builtInResources('cluster');

const container = { name: 'c', image: 'i' };
const isGone = (request: Promise<unknown>): Promise<boolean> =>
  request.then(
    () => false,
    (error: unknown) => hasReason(error, 'NotFound'),
  );

describe('controllers of single kinds', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await startServer({ controllers: true });
    client = createClient(connectionTo(server));
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  it('give aggregated cluster roles the rules of the roles that they select, by name', async () => {
    const roles = client.resource(clusterroles);
    const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
    const labels = { part: 'of-sum' };
    await roles.create({
      metadata: { name: 'sum' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
    });
    await roles.create({ metadata: { name: 'b', labels }, rules: [rule('pods'), rule('secrets')] });
    await roles.create({ metadata: { name: 'a', labels }, rules: [rule('secrets')] });
    const sum = async () => ((await roles.get('sum')).rules ?? []).flatMap(({ resources }) => resources).join();
    await until('the sum', async () => (await sum()) === 'secrets,pods');
    await roles.delete('b');
    await until('one part', async () => (await sum()) === 'secrets');
  });

  it('keep deleted claims while scheduled Pods use them, and volumes while they are bound', async () => {
    const claims = client.resource(persistentvolumeclaims);
    const volumes = client.resource(persistentvolumes);
    const accessModes = ['ReadWriteOnce'];
    await claims.create({
      metadata: { name: 'used' },
      spec: { accessModes, resources: { requests: { storage: '1Gi' } } },
    });
    const volume = { name: 'v', persistentVolumeClaim: { claimName: 'used' } };
    const spec = { containers: [container], volumes: [volume], nodeName: 'n', terminationGracePeriodSeconds: 0 };
    await client.resource(pods).create({ metadata: { name: 'user' }, spec });
    await volumes.create({
      metadata: { name: 'v' },
      spec: { accessModes, capacity: { storage: '1Gi' }, hostPath: { path: '/tmp' } },
    });
    await volumes.patch('v', { status: { phase: 'Bound' } }, { type: 'merge', subresource: 'status' });
    await claims.delete('used');
    await volumes.delete('v');
    await claims.create({
      metadata: { name: 'free' },
      spec: { accessModes, resources: { requests: { storage: '1Gi' } } },
    });
    await claims.delete('free');
    await until('the free claim to go', () => isGone(claims.get('free')));
    assert.deepEqual((await claims.get('used')).metadata?.finalizers, ['cluster.io/pvc-protection']);
    assert.deepEqual((await volumes.get('v')).metadata?.finalizers, ['cluster.io/pv-protection']);
    await client.resource(pods).delete('user', { gracePeriodSeconds: 0 });
    await until('the used claim to go', () => isGone(claims.get('used')));
    await volumes.patch('v', { status: { phase: 'Released' } }, { type: 'merge', subresource: 'status' });
    await until('the volume to go', () => isGone(volumes.get('v')));
  });

  it('count what quotas limit, and give back what is deleted', async () => {
    const quotas = client.resource(resourcequotas);
    const maps = client.resource(configmaps);
    await client.resource(builtInResources('cluster').namespaces).create({ metadata: { name: 'limited' } });
    const options = { namespace: 'limited' };
    await until('the root CA', async () => (await maps.list(options)).items.length === 1);
    const name = 'q';
    const hard = { 'count/configmaps': '3', pods: '1', 'requests.cpu': '2' };
    await maps.create({ metadata: { name: 'a' } }, options);
    await quotas.create({ metadata: { name }, spec: { hard } }, options);
    const used = async () => JSON.stringify((await quotas.get(name, options)).status?.used);
    const counts = (...[first, second, cpu]: readonly string[]) =>
      JSON.stringify({ 'count/configmaps': first, pods: second, 'requests.cpu': cpu });
    await until('the first count', async () => (await used()) === counts('2', '0', '0'));
    const pod = (cpu: string) => ({
      metadata: { name: 'p' },
      spec: { containers: [{ ...container, resources: { requests: { cpu } } }] },
    });
    await client.resource(pods).create(pod('500m'), options);
    assert.equal(await used(), counts('2', '1', '500m'));
    const other = { ...pod('1'), metadata: { name: 'other' } };
    await assert.rejects(client.resource(pods).create(other, options), (error) => {
      assert.ok(error instanceof StatusError);
      assert.match(error.message, /exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1/);
      return true;
    });
    await client.resource(pods).delete('p', options);
    await maps.delete('a', options);
    await until('the use to shrink', async () => (await used()) === counts('1', '0', '0'));
    await client.resource(pods).create(other, options);
  });

  it('count what a quota limits besides kinds that nobody serves', async () => {
    const quotas = client.resource(resourcequotas);
    const options = { namespace: 'default' };
    const hard = { 'count/widgets.example.com': '1', 'count/events': '1', pods: '1' };
    await quotas.create({ metadata: { name: 'partly' }, spec: { hard } }, options);
    const status = async () => (await quotas.get('partly', options)).status;
    await until('the count', async () => (await status())?.used !== undefined);
    assert.deepEqual(await status(), { hard, used: { pods: '0' } });
    await quotas.delete('partly', options);
  });

  it('delete finished Jobs when their time to live has ended', async () => {
    const writer = client.resource(jobs);
    const template = { spec: { restartPolicy: 'Never', containers: [container] } };
    for (const [name, ttlSecondsAfterFinished] of [
      ['soon', 0],
      ['later', 3600],
    ] as const) {
      await writer.create({ metadata: { name }, spec: { ttlSecondsAfterFinished, template } });
      const now = new Date().toISOString();
      const conditions = [{ type: 'Complete', status: 'True', lastProbeTime: now, lastTransitionTime: now }];
      await writer.patch(name, { status: { conditions } }, { type: 'merge', subresource: 'status' });
    }
    await until('the Job to go', () => isGone(writer.get('soon')));
    assert.equal((await writer.get('later')).metadata?.deletionTimestamp, undefined);
  });
});
