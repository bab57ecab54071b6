import assert from 'node:assert/strict';
import { endpoints, type Endpoints, endpointSlices, pods, services } from '../../../src/controllers/resources.ts';
import { podCondition } from '../../../src/kinds/core/pod.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { until } from '../until.ts';
import { create, identifiers, reached, template, type World } from './world.ts';

const slices = endpointSlices(identifiersOf(identifiers));
const mirroredBy = 'endpointslicemirroring-controller.k8s.io';

/** `[sig-network] EndpointSlice`, `EndpointSliceMirroring`, `Endpoints` and `Services`. */
export function endpointStories(world: World): void {
  const slicesOf = async (namespace: string, service: string) => {
    const labelSelector = `kubernetes.io/service-name=${service}`;
    return (await world.client.resource(slices).list({ namespace, labelSelector })).items;
  };
  const isAbsent = async (namespace: string, name: string) =>
    (await world.client.resource(endpoints).list({ namespace })).items.every(({ metadata }) => metadata.name !== name);
  const server = (name: string, ports: readonly { name: string; containerPort: number }[]) => ({
    metadata: { name, labels: { app: 'web', [name]: 'yes' } },
    spec: { containers: [{ name: 'c', image: 'i', ports }] },
  });

  it('should have Endpoints and EndpointSlices pointing to API Server', async () => {
    const service = await world.client.resource(services).get('kubernetes', { namespace: 'default' });
    assert.equal(service.spec.ports?.[0]?.port, 443);
    const { subsets } = await world.client.resource(endpoints).get('kubernetes', { namespace: 'default' });
    const addresses = subsets?.flatMap((subset) => subset.addresses?.map(({ ip }) => ip) ?? []);
    const found = await slicesOf('default', 'kubernetes');
    assert.equal(found.length, 1);
    assert.deepEqual(
      found[0]?.endpoints?.flatMap((endpoint) => endpoint.addresses),
      addresses,
    );
  });

  it('should create and delete Endpoints and EndpointSlices for a Service with a selector specified', async () => {
    const namespace = await world.newNamespace();
    await create(world, services, namespace, {
      metadata: { name: 'empty' },
      spec: { selector: { app: 'none' }, ports: [{ name: 'http', port: 80 }] },
    });
    await until('endpoints', async () => !(await isAbsent(namespace, 'empty')));
    await until('a slice', async () => (await slicesOf(namespace, 'empty')).length === 1);
    await world.client.resource(services).delete('empty', { namespace });
    await until('no endpoints', () => isAbsent(namespace, 'empty'));
    await until('no slice', async () => (await slicesOf(namespace, 'empty')).length === 0);
  });

  it('should create Endpoints and EndpointSlices for Pods matching a Service', async () => {
    const namespace = await world.newNamespace();
    const ports = [
      { name: 'http', containerPort: 3000 },
      { name: 'grpc', containerPort: 3001 },
    ];
    await create(world, services, namespace, {
      metadata: { name: 'one' },
      spec: { selector: { first: 'yes' }, ports: [{ name: 'http', port: 80, targetPort: 3000 }] },
    });
    await create(world, services, namespace, {
      metadata: { name: 'both' },
      spec: {
        selector: { app: 'web' },
        publishNotReadyAddresses: true,
        ports: [
          { name: 'http', port: 80, targetPort: 'http' },
          { name: 'grpc', port: 81, targetPort: 'grpc' },
        ],
      },
    });
    await create(world, pods, namespace, server('first', ports));
    await create(world, pods, namespace, server('second', [{ name: 'http', containerPort: 3002 }]));
    const first = await reached(world, pods, namespace, 'first', ({ status }) => status?.podIP !== undefined);
    const one = await reached(
      world,
      endpoints,
      namespace,
      'one',
      ({ subsets }) => subsets?.[0]?.addresses?.length === 1,
    );
    assert.deepEqual(one.subsets?.[0]?.addresses?.[0]?.ip, first.status?.podIP);
    const readySince = podCondition(first, 'Ready')?.lastTransitionTime;
    const stamps = [one.metadata, ...(await slicesOf(namespace, 'one')).map(({ metadata }) => metadata)].map(
      ({ annotations }) => annotations?.['endpoints.kubernetes.io/last-change-trigger-time'],
    );
    assert.ok(stamps.includes(readySince ?? ''), `${String(stamps)} and ${readySince}`);
    const label = { metadata: { labels: { team: 'b' } } };
    await world.client.resource(services).patch('one', label, { type: 'merge', namespace });
    await until('the label on the slice', async () =>
      (await slicesOf(namespace, 'one')).every(({ metadata }) => metadata.labels?.['team'] === 'b'),
    );
    // Pods that resolve the names of ports differently have subsets and slices of their own.
    const both = await reached(world, endpoints, namespace, 'both', ({ subsets }) => subsets?.length === 2);
    assert.deepEqual(
      both.subsets?.map((subset) => subset.ports?.map(({ port }) => port).toSorted((a, b) => a - b)).toSorted(),
      [[3000, 3001], [3002]],
    );
    await until('two slices', async () => (await slicesOf(namespace, 'both')).length === 2);
    await world.client.resource(pods).delete('first', { namespace });
    await reached(world, endpoints, namespace, 'one', ({ subsets }) => (subsets ?? []).length === 0);
    await until('one slice', async () => (await slicesOf(namespace, 'both')).length === 1);
  });

  it('should serve multiport endpoints from pods', async () => {
    const namespace = await world.newNamespace();
    await create(world, services, namespace, {
      metadata: { name: 'multi' },
      spec: {
        selector: { app: 'web' },
        ports: [
          { name: 'p1', port: 80, targetPort: 'p1' },
          { name: 'p2', port: 81, targetPort: 'p2' },
        ],
      },
    });
    const portsOf = (object: Endpoints) =>
      (object.subsets ?? [])
        .flatMap(({ addresses = [], ports = [] }) => addresses.flatMap(() => ports.map(({ port }) => port)))
        .toSorted((a, b) => a - b)
        .join();
    const serves = (expected: string) =>
      reached(world, endpoints, namespace, 'multi', (object) => portsOf(object) === expected);
    await create(world, pods, namespace, server('a', [{ name: 'p1', containerPort: 100 }]));
    await serves('100');
    await create(world, pods, namespace, server('b', [{ name: 'p2', containerPort: 101 }]));
    await serves('100,101');
    await world.client.resource(pods).delete('a', { namespace });
    await serves('101');
    await world.client.resource(pods).delete('b', { namespace });
    await serves('');
  });

  it('should test the lifecycle of an Endpoint that no Service has', async () => {
    const namespace = await world.newNamespace();
    const resource = world.client.resource(endpoints);
    const subsets = [{ addresses: [{ ip: '10.0.0.24' }], ports: [{ name: 'http', port: 80, protocol: 'TCP' }] }];
    await create(world, endpoints, namespace, { metadata: { name: 'own', labels: { story: 'own' } }, subsets });
    await create(world, services, namespace, {
      metadata: { name: 'later' },
      spec: { selector: { app: 'none' }, ports: [{ port: 80 }] },
    });
    // The controller has seen the first when it has made the second.
    await until('endpoints of a Service', async () => !(await isAbsent(namespace, 'later')));
    await resource.patch('own', { metadata: { labels: { story: 'patched' } } }, { type: 'merge', namespace });
    assert.deepEqual((await resource.get('own', { namespace })).subsets, subsets);
    await resource.deleteCollection({ namespace, labelSelector: 'story=patched' });
    await until('no endpoints', () => isAbsent(namespace, 'own'));
  });

  it('should mirror a custom Endpoints resource through create update and delete', async () => {
    const namespace = await world.newNamespace();
    const resource = world.client.resource(endpoints);
    await create(world, services, namespace, {
      metadata: { name: 'custom' },
      spec: { ports: [{ name: 'example', port: 80, protocol: 'TCP' }] },
    });
    const subset = (port: number, ...ips: readonly string[]) => ({
      addresses: ips.map((ip) => ({ ip })),
      ports: [{ name: 'example', port, protocol: 'TCP' }],
    });
    await create(world, endpoints, namespace, {
      metadata: { name: 'custom', labels: { team: 'a' } },
      subsets: [subset(80, '10.1.2.3')],
    });
    const mirrors = (...expected: readonly string[]) =>
      until(expected.join(' '), async () => {
        const found = (await slicesOf(namespace, 'custom')).map(
          (slice) =>
            `${slice.ports?.[0]?.port}:${slice.endpoints?.map(({ addresses }) => addresses.join()).join()}:${slice.addressType}`,
        );
        return found.toSorted((a, b) => a.localeCompare(b)).join(' ') === expected.join(' ');
      });
    await mirrors('80:10.1.2.3:IPv4');
    const [slice] = await slicesOf(namespace, 'custom');
    const { labels, ownerReferences } = slice?.metadata ?? {};
    assert.deepEqual(labels, {
      team: 'a',
      'kubernetes.io/service-name': 'custom',
      'endpointslice.kubernetes.io/managed-by': mirroredBy,
    });
    assert.deepEqual([ownerReferences?.[0]?.kind, slice?.endpoints?.[0]?.conditions], ['Endpoints', { ready: true }]);
    const replace = async (subsets: readonly object[]) =>
      await resource.patch('custom', { subsets }, { type: 'merge', namespace });
    await replace([subset(81, '10.2.3.4')]);
    await mirrors('81:10.2.3.4:IPv4');
    await replace([subset(81, '10.2.3.4', '10.2.3.5', 'fd00::1'), subset(82, '10.2.3.6')]);
    await mirrors('81:10.2.3.4,10.2.3.5:IPv4', '81:fd00::1:IPv6', '82:10.2.3.6:IPv4');
    const skip = (value: string | null) =>
      resource.patch(
        'custom',
        { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': value } } },
        { type: 'merge', namespace },
      );
    await skip('true');
    await mirrors();
    await skip(null);
    await mirrors('81:10.2.3.4,10.2.3.5:IPv4', '81:fd00::1:IPv6', '82:10.2.3.6:IPv4');
    await resource.delete('custom', { namespace });
    await mirrors();
  });

  it('should leave the Endpoints of a Service that gets no selector, and mirror them once it has none', async () => {
    const namespace = await world.newNamespace();
    await create(world, services, namespace, {
      metadata: { name: 'handed' },
      spec: { selector: { app: 'web' }, ports: [{ name: 'p', port: 80 }] },
    });
    await create(world, pods, namespace, { ...template('web'), metadata: { name: 'w', labels: { app: 'web' } } });
    await reached(world, endpoints, namespace, 'handed', ({ subsets }) => subsets?.[0]?.addresses?.length === 1);
    const change = { spec: { selector: null } };
    await world.client.resource(services).patch('handed', change, { type: 'merge', namespace });
    await until('a mirrored slice', async () =>
      (await slicesOf(namespace, 'handed')).some(
        ({ metadata }) => metadata.labels?.['endpointslice.kubernetes.io/managed-by'] === mirroredBy,
      ),
    );
    assert.equal(await isAbsent(namespace, 'handed'), false);
  });
}
