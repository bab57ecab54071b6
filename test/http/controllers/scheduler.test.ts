import assert from 'node:assert/strict';
import { type ApiObject, builtInResources, type Client, createClient, type corev1 } from '../../../src/client/index.ts';
import { nodes, type Pod, pods } from '../../../src/controllers/resources.ts';
import { podCondition } from '../../../src/kinds/core/pod.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';

const hostname = 'cluster.io/hostname';

describe('the minimal scheduler', () => {
  let server: TestServer;
  let client: Client;
  const { events, namespaces, poddisruptionbudgets, priorityclasses } = builtInResources('cluster');
  let namespace = '';
  let count = 0;

  before(async () => {
    const capacity = { cpu: '4', memory: '8Gi' };
    server = await startServer({
      // It has the gates of pods and the newer rules of spreading.
      emulatedRelease: '1.27',
      nodes: [
        { count: 2, name: 'a', capacity, labels: { zone: 'a' } },
        { count: 1, name: 'b', capacity, labels: { zone: 'b' } },
        { count: 1, name: 'gpu', capacity, taints: [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }] },
      ],
    });
    client = createClient(server.connection);
    await client.resource(priorityclasses).create({ metadata: { name: 'high' }, value: 1000 });
    await client
      .resource(priorityclasses)
      .create({ metadata: { name: 'polite' }, value: 1000, preemptionPolicy: 'Never' });
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  beforeEach(async () => {
    namespace = `n${count++}`;
    await client.resource(namespaces).create({ metadata: { name: namespace, labels: { team: namespace } } });
  });
  afterEach(async () => {
    await client.resource(pods).deleteCollection({ namespace, gracePeriodSeconds: 0 });
    const all = async () => (await client.resource(pods).list()).items;
    await until('no pods', async () => (await all()).length === 0);
  });

  const create = async (
    name: string,
    spec: Partial<corev1.PodSpec> = {},
    {
      labels = {},
      cpu = '0',
      ports,
    }: { labels?: Record<string, string>; cpu?: string; ports?: corev1.ContainerPort[] } = {},
  ) => {
    const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu } }, ...(ports ? { ports } : {}) }];
    const pod = { metadata: { name, namespace, labels }, spec: { containers, ...spec } };
    await client.resource(pods).create(pod as unknown as Pod);
  };
  const read = (name: string): Promise<Pod> => client.resource(pods).get(name, { namespace });
  const placeOf = async (name: string): Promise<string> => {
    await until(`a node for ${name}`, async () => (await read(name)).spec.nodeName !== undefined);
    return (await read(name)).spec.nodeName ?? '';
  };
  const refusalOf = async (name: string, pattern = /./): Promise<string> => {
    const message = async () => podCondition(await read(name), 'PodScheduled')?.message ?? '';
    await until(`a refusal of ${name}`, async () => pattern.test(await message()));
    return message();
  };
  const repelled = (topologyKey: string, term: Partial<corev1.PodAffinityTerm> = {}): corev1.PodAffinityTerm => ({
    topologyKey,
    labelSelector: { matchLabels: { app: 'web' } },
    ...term,
  });
  const apart = (term: corev1.PodAffinityTerm): Partial<corev1.PodSpec> => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
  });
  const together = (term: corev1.PodAffinityTerm): Partial<corev1.PodSpec> => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
  });
  const labels = { app: 'web' };

  it('has nodes with the capacity, labels and taints of their groups', async () => {
    const node = await client.resource(nodes).get('gpu-1');
    assert.deepEqual(node.spec.taints, [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }]);
    assert.deepEqual([node.status?.capacity?.['cpu'], node.status?.allocatable?.['pods']], ['4', '10k']);
    assert.equal((await client.resource(nodes).get('a-2')).metadata.labels?.['zone'], 'a');
    const group = { count: 1 };
    const refused: readonly [unknown, RegExp][] = [
      [-1, /^TypeError: nodes: -1 is not valid/],
      [
        [group, { count: 2, size: 3 }],
        /nodes\[1\]\.size: "size" is not valid: use count, name, capacity, labels, taints/,
      ],
      [{ ...group, capacity: { cpu: 'much' } }, /nodes\.capacity\.cpu: "much"/],
      [{ ...group, taints: [{ key: 'k', effect: 'Never' }] }, /nodes\.taints\[0\]\.effect: "Never"/],
      [[group, group], /nodes\[1\]\.name: "node" is not valid: use a name of its own/],
      [{}, /nodes\.count: undefined/],
    ];
    // The wrong types are those of a caller without types.
    for (const [option, message] of refused) await assert.rejects(startServer({ nodes: option as number }), message);
  });

  it('gives a port of a node to one pod, and says why there is no room', async () => {
    const port = { ports: [{ containerPort: 80, hostPort: 80 }] };
    for (const name of ['p1', 'p2', 'p3']) await create(name, {}, port);
    const places = await Promise.all(['p1', 'p2', 'p3'].map(placeOf));
    assert.deepEqual(places.toSorted(), ['a-1', 'a-2', 'b-1']);
    await create('p4', {}, port);
    assert.equal(
      await refusalOf('p4'),
      "0/4 nodes are available: 1 node(s) had untolerated taint {gpu: true}, 3 node(s) didn't have free ports for " +
        'the requested pod ports. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, ' +
        '3 No preemption victims found for incoming pod.',
    );
    const fieldSelector = 'reason=FailedScheduling,involvedObject.name=p4';
    await until(
      'the Event',
      async () => (await client.resource(events).list({ namespace, fieldSelector })).items.length > 0,
    );
    await client.resource(pods).delete('p2', { namespace, gracePeriodSeconds: 0 });
    assert.equal(await placeOf('p4'), places[1]);
  });

  it('keeps pods apart and together by the labels of nodes', async () => {
    await create('first', apart(repelled('zone')), { labels });
    await create('second', apart(repelled('zone')), { labels });
    const zones = [await placeOf('first'), await placeOf('second')].map((name) => name.slice(0, 1));
    assert.deepEqual(zones.toSorted(), ['a', 'b']);
    // The pod itself avoids nothing: those that are there do, and nodes without a zone are allowed.
    await create('third', {}, { labels });
    assert.match(await refusalOf('third'), /3 node\(s\) didn't satisfy existing pods anti-affinity rules/);
    await create('near', together(repelled(hostname)));
    assert.ok([await placeOf('first'), await placeOf('second')].includes(await placeOf('near')));
    await create('far', together(repelled(hostname, { namespaceSelector: { matchLabels: { team: 'none' } } })));
    assert.match(await refusalOf('far'), /3 node\(s\) didn't match pod affinity rules/);
    await client.resource(namespaces).patch(namespace, { metadata: { labels: { team: 'none' } } }, { type: 'merge' });
    await placeOf('far');
  });

  it('lets the first pod of a group that attracts itself be anywhere', async () => {
    for (const name of ['g1', 'g2', 'g3']) await create(name, together(repelled('zone')), { labels });
    const zones = (await Promise.all(['g1', 'g2', 'g3'].map(placeOf))).map((name) => name.slice(0, 1));
    assert.equal(new Set(zones).size, 1);
  });

  it('spreads pods over the values of a label', async () => {
    const constraint = { maxSkew: 1, topologyKey: 'zone', labelSelector: { matchLabels: labels } };
    const spread = (whenUnsatisfiable: string, more = {}): Partial<corev1.PodSpec> => ({
      topologySpreadConstraints: [{ ...constraint, whenUnsatisfiable, ...more }],
    });
    for (const name of ['s1', 's2', 's3', 's4']) {
      await create(name, spread('DoNotSchedule'), { labels });
      await placeOf(name);
    }
    const zones = (await Promise.all(['s1', 's2', 's3', 's4'].map(placeOf))).map((name) => name.slice(0, 1));
    assert.deepEqual(zones.toSorted(), ['a', 'a', 'b', 'b']);
    await create('s5', { ...spread('DoNotSchedule', { minDomains: 3 }) }, { labels });
    assert.match(await refusalOf('s5'), /3 node\(s\) didn't match pod topology spread constraints[,.]/);
    const tolerations = [{ operator: 'Exists' }];
    await create('s6', { ...spread('DoNotSchedule', { topologyKey: 'rack' }), tolerations }, { labels });
    assert.match(
      await refusalOf('s6'),
      /4 node\(s\) didn't match pod topology spread constraints \(missing required label\)/,
    );
    await create('s7', spread('ScheduleAnyway'), { labels });
    await placeOf('s7');
  });

  it('ends pods of lower priority, those without a budget first, for one that fits nowhere else', async () => {
    const on = (name: string): Partial<corev1.PodSpec> => ({ nodeSelector: { [hostname]: name } });
    await create('kept', on('a-1'), { labels, cpu: '2' });
    await create('victim', on('a-1'), { cpu: '2' });
    await placeOf('kept');
    await placeOf('victim');
    await client.resource(poddisruptionbudgets).create({
      metadata: { name: 'web', namespace },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    await create('polite', { ...on('a-1'), priorityClassName: 'polite' }, { cpu: '2' });
    assert.match(
      await refusalOf('polite'),
      /Insufficient cpu.* preemption: not eligible due to preemptionPolicy=Never\.$/,
    );
    await create('strong', { ...on('a-1'), priorityClassName: 'high' }, { cpu: '2' });
    assert.equal(await placeOf('strong'), 'a-1');
    const names = (await client.resource(pods).list({ namespace })).items.map(({ metadata }) => metadata.name);
    assert.deepEqual(names, ['kept', 'polite', 'strong']);
    const fieldSelector = 'reason=Preempted,involvedObject.name=victim';
    await until(
      'the Event',
      async () => (await client.resource(events).list({ namespace, fieldSelector })).items.length > 0,
    );
    assert.equal((await read('strong')).status?.nominatedNodeName, 'a-1');
  });

  it('places pods where their claims allow it, and says why they allow no place', async () => {
    const { persistentvolumeclaims: claims, persistentvolumes: volumes, storageclasses } = builtInResources('cluster');
    const resources = { requests: { storage: '1Gi' } };
    const spec = { accessModes: ['ReadWriteOnce'], resources };
    const claim = (name: string, more: object) =>
      client.resource(claims).create({ metadata: { name, namespace }, spec: { ...spec, ...more } });
    const mounting = (claimName: string): Partial<corev1.PodSpec> => ({
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
    });
    await create('early', mounting('data'));
    assert.equal(
      await refusalOf('early'),
      '0/4 nodes are available: 4 persistentvolumeclaim "data" not found. preemption: 0/4 nodes are available: ' +
        '4 Preemption is not helpful for scheduling.',
    );
    await claim('data', { volumeName: `pv-${namespace}` });
    assert.match(
      await refusalOf('early', /non-existent/),
      /3 node\(s\) unavailable due to one or more pvc\(s\) bound to non-existent pv\(s\)\. preemption: .* 4 Preem/,
    );
    const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['b'] }] }] };
    await client.resource(volumes).create({
      metadata: { name: `pv-${namespace}` },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        nodeAffinity: { required },
      },
    });
    assert.equal(await placeOf('early'), 'b-1');
    await create('elsewhere', { ...mounting('data'), nodeSelector: { zone: 'a' } });
    assert.match(await refusalOf('elsewhere'), /2 node\(s\) had volume node affinity conflict/);
    await client.resource(storageclasses).create({
      metadata: { name: 'late' },
      provisioner: 'example.com/disks',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['b'] }] }],
    });
    await claim('waiting', { storageClassName: 'late' });
    await create('first', mounting('waiting'));
    assert.equal(await placeOf('first'), 'b-1');
    const { metadata } = await client.resource(claims).get('waiting', { namespace });
    assert.equal(metadata?.annotations?.['volume.cluster.io/selected-node'], 'b-1');
    await create('second', { ...mounting('waiting'), nodeSelector: { zone: 'a' } });
    assert.match(await refusalOf('second'), /2 node\(s\) didn't find available persistent volumes to bind/);
  });

  it('places waiting pods by priority, and none that has a gate', async () => {
    const spec = { nodeSelector: { [hostname]: 'b-1' } };
    await create('all', spec, { cpu: '4' });
    await placeOf('all');
    await create('low', spec, { cpu: '3' });
    await refusalOf('low');
    await create('gated', { ...spec, schedulingGates: [{ name: 'example.com/wait' }] }, { cpu: '1' });
    await create('high', { ...spec, priorityClassName: 'polite' }, { cpu: '3' });
    await refusalOf('high');
    await client.resource(pods).delete('all', { namespace, gracePeriodSeconds: 0 });
    assert.equal(await placeOf('high'), 'b-1');
    assert.equal((await read('low')).spec.nodeName, undefined);
    const gated = await read('gated');
    assert.equal(gated.spec.nodeName, undefined);
    assert.equal(podCondition(gated, 'PodScheduled')?.reason, 'SchedulingGated');
    const target = { apiVersion: 'v1', kind: 'Node', name: 'b-1' };
    const binding = { metadata: { name: 'gated', namespace }, target };
    const bound = client.resource<ApiObject>(pods).create(binding, { subresource: 'binding', namespace });
    await assert.rejects(bound, /pod gated has non-empty \.spec\.schedulingGates/);
    // Its owner removes the gate, in a replacement or a patch.
    await client.resource(pods).update({ ...gated, spec: { ...gated.spec, schedulingGates: [] } });
    assert.equal(await placeOf('gated'), 'b-1');
    assert.equal(podCondition(await read('gated'), 'PodScheduled')?.status, 'True');
  });
});

describe('the minimal scheduler of a server without storage classes', () => {
  it('places pods with claims as if there were no classes', async () => {
    await using server = await startServer({ nodes: 1, runtimeConfig: ['storage.cl.io/v1=false'] });
    const client = createClient(server.connection);
    const { persistentvolumeclaims } = builtInResources('cluster');
    const namespace = 'default';
    const resources = { requests: { storage: '1Gi' } };
    const claim = { metadata: { name: 'data', namespace }, spec: { accessModes: ['ReadWriteOnce'], resources } };
    await client.resource(persistentvolumeclaims).create(claim);
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
    const spec = { containers: [{ name: 'c', image: 'i' }], volumes };
    await client.resource(pods).create({ metadata: { name: 'web', namespace }, spec } as unknown as Pod);
    await until(
      'a node',
      async () => (await client.resource(pods).get('web', { namespace })).spec.nodeName === 'node-1',
    );
    await client.close();
  });
});
