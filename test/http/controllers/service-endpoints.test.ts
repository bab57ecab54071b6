import assert from 'node:assert/strict';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Client, createClient } from '../../../src/client/index.ts';
import {
  type Deployment,
  deployments,
  endpoints,
  type EndpointSlice,
  endpointSlices,
  type Node,
  nodes,
  type Pod,
  pods,
  type Service,
  services,
} from '../../../src/controllers/resources.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';
import { startPlane } from './start-plane.ts';

const namespace = 'default';
const { events, namespaces, resourcequotas } = builtInResources('cluster');
const slices = endpointSlices(identifiersOf('cluster'));

describe('endpoints of services', () => {
  let server: Awaited<ReturnType<typeof startPlane>>;
  let client: Client;
  before(async () => {
    server = await startPlane(1);
    client = createClient(server.connection);
    await client.resource(services).create({
      metadata: { name: 'web', namespace, labels: { team: 'a' } },
      spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'main' }] },
    } as unknown as Service);
    const ports = [{ name: 'main', containerPort: 8080 }];
    await client.resource(deployments).create({
      metadata: { name: 'web', namespace },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i', ports }] } },
      },
    } as unknown as Deployment);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const subsetsOf = async (name: string) =>
    (
      await client
        .resource(endpoints)
        .get(name)
        .catch(() => undefined)
    )?.subsets ?? [];
  const slicesOf = async (name: string) =>
    (await client.resource(slices).list({ namespace, labelSelector: `cluster.io/service-name=${name}` })).items;
  const counts = async (): Promise<string> => {
    const [subset] = await subsetsOf('web');
    const ready = (await slicesOf('web'))
      .flatMap((slice) => slice.endpoints ?? [])
      .map((each) => String(each.conditions?.ready));
    return `${subset?.addresses?.length ?? 0} ${subset?.notReadyAddresses?.length ?? 0} ${ready.toSorted((a, b) => a.localeCompare(b)).join()}`;
  };
  const reached = (expected: string) => until(expected, async () => (await counts()) === expected);

  it('follow the pods of a selector, with the ports that they name', async () => {
    await reached('3 0 true,true,true');
    const [subset] = await subsetsOf('web');
    assert.deepEqual(subset?.ports, [{ name: 'http', port: 8080, protocol: 'TCP' }]);
    const [address] = subset?.addresses ?? [];
    assert.deepEqual([address?.nodeName, address?.targetRef?.kind], ['node-1', 'Pod']);
    const [slice, ...others] = await slicesOf('web');
    assert.deepEqual([slice?.ports, others.length, slice?.addressType], [subset?.ports, 0, 'IPv4']);
    assert.deepEqual(slice?.metadata.labels, {
      team: 'a',
      'cluster.io/service-name': 'web',
      'endpointslice.cluster.io/managed-by': 'endpointslice-controller.cl.io',
    });
  });

  it('tell ready pods from others', async () => {
    const [pod] = (await client.resource(pods).list({ namespace })).items;
    const asked = (outcome: string) => ({ metadata: { annotations: { 'stand-in.cluster.io/outcome': outcome } } });
    const options = { type: 'merge' as const, namespace };
    await client.resource(pods).patch(pod?.metadata.name ?? '', asked('NotReady'), options);
    await reached('2 1 false,true,true');
    await client.resource(pods).patch(pod?.metadata.name ?? '', asked('Running'), options);
    await reached('3 0 true,true,true');
  });

  it('are empty without pods, and go with their service', async () => {
    await client.resource(deployments).patch('web', { spec: { replicas: 0 } }, { type: 'merge' });
    await reached('0 0 ');
    assert.equal((await slicesOf('web')).length, 1);
    await client.resource(services).delete('web');
    await until('the end', async () => {
      const present = await client.resource(endpoints).list({ namespace });
      return (await slicesOf('web')).length === 0 && !present.items.some(({ metadata }) => metadata.name === 'web');
    });
  });

  it('mirror Endpoints that users write', async () => {
    const service = { metadata: { name: 'own', namespace }, spec: { ports: [{ port: 80 }] } };
    await client.resource(services).create(service as unknown as Service);
    const subsets = [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }];
    await client.resource(endpoints).create({ metadata: { name: 'own', namespace }, subsets });
    await until('a slice', async () => (await slicesOf('own')).length === 1);
    await client.resource(endpoints).delete('own', { namespace });
    await until('no slice', async () => (await slicesOf('own')).length === 0);
  });

  it('need no more than the default roles of the controllers', () => assert.deepEqual(server.errors, []));
});

describe('endpoints of pods whose status is written by hand', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    const controllers = ['endpoints-controller', 'endpointslice-controller', 'endpointslice-mirroring-controller'];
    server = await startServer({ controllers });
    client = createClient(server.connection);
    const labels = { 'topology.cluster.io/zone': 'z1', 'topology.cluster.io/region': 'r1' };
    await client.resource(nodes).create({ metadata: { name: 'n', labels } } as unknown as Node);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const addService = (name: string, spec: object) =>
    client.resource(services).create({ metadata: { name, namespace }, spec } as unknown as Service);
  const addPod = async (name: string, app: string, ip: string, named: Readonly<Record<string, number>> = {}) => {
    const ports = Object.entries(named).map(([port, containerPort]) => ({ name: port, containerPort }));
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i', ports }] };
    await client.resource(pods).create({ metadata: { name, namespace, labels: { app } }, spec } as unknown as Pod);
    const conditions = [{ type: 'Ready', status: 'True' }];
    const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions };
    await client.resource(pods).patch(name, { status }, { type: 'merge', subresource: 'status', namespace });
  };
  const slicesOf = async (name: string): Promise<EndpointSlice[]> =>
    (await client.resource(slices).list({ namespace, labelSelector: `cluster.io/service-name=${name}` })).items;
  /** The subsets as `10.0.0.1 a:80 b:81`. */
  const packed = async (name: string): Promise<string[]> => {
    const { subsets = [] } = await client.resource(endpoints).get(name, { namespace });
    return subsets.map(({ addresses = [], ports = [] }) =>
      [...addresses.map(({ ip }) => ip), ...ports.map((port) => `${port.name}:${port.port}`)].join(' '),
    );
  };
  /** The endpoints of each slice as `10.0.0.1`, then its ports. */
  const sliced = async (name: string): Promise<string[]> =>
    (await slicesOf(name)).map((slice) =>
      [
        ...(slice.endpoints ?? []).map(({ addresses }) => addresses.join()),
        ...(slice.ports ?? []).map((port) => `${port.name}:${port.port}`),
      ].join(' '),
    );
  const settled = (read: () => Promise<string[]>, expected: readonly string[]) =>
    until(expected.join(' | '), async () => (await read()).toSorted().join() === expected.toSorted().join());

  it('pack each port once with all its addresses, in the order of kube-controller-manager', async () => {
    const ports = [
      { name: 'http', port: 80, targetPort: 'main' },
      { name: 'other', port: 81, targetPort: 'alt' },
      { name: 'x', port: 90, targetPort: 9000, protocol: 'UDP' },
    ];
    await addService('packed', { selector: { app: 'packed' }, ports });
    await addPod('p1', 'packed', '10.1.0.1', { main: 8080, alt: 8081 });
    await settled(() => packed('packed'), ['10.1.0.1 other:8081 x:9000 http:8080']);
    await addPod('p2', 'packed', '10.1.0.2', { main: 8080, alt: 8082 });
    await settled(
      () => packed('packed'),
      ['10.1.0.1 other:8081', '10.1.0.2 other:8082', '10.1.0.1 10.1.0.2 x:9000 http:8080'],
    );
    const many = Array.from({ length: 8 }, (_, index) => ({
      name: `p${index}`,
      port: 1000 + index,
      protocol: index % 4 === 0 ? 'UDP' : 'TCP',
      ...(index % 3 === 0 ? { appProtocol: 'http' } : {}),
    }));
    await addService('many', { selector: { app: 'many' }, ports: many });
    await addPod('m', 'many', '10.1.1.1');
    const order = 'p5:1005 p4:1004 p7:1007 p6:1006 p3:1003 p1:1001 p0:1000 p2:1002';
    await settled(() => packed('many'), [`10.1.1.1 ${order}`]);
  });

  it('keep a slice when it is filled, when its ports change and when it is emptied', async () => {
    await addService('kept', { selector: { app: 'kept' }, ports: [{ name: 'a', port: 80 }] });
    await settled(() => sliced('kept'), ['']);
    const [slice] = await slicesOf('kept');
    await addPod('k', 'kept', '10.2.0.1');
    await settled(() => sliced('kept'), ['10.2.0.1 a:80']);
    const spec = { ports: [{ name: 'a', port: 81, protocol: 'TCP' }] };
    await client.resource(services).patch('kept', { spec }, { type: 'merge', namespace });
    await settled(() => sliced('kept'), ['10.2.0.1 a:81']);
    await client.resource(pods).delete('k', { namespace, gracePeriodSeconds: 0 });
    await settled(() => sliced('kept'), ['']);
    assert.equal((await slicesOf('kept'))[0]?.metadata.uid, slice?.metadata.uid);
  });

  it('have the zone of their node', async () => {
    await addService('zoned', { selector: { app: 'zoned' }, ports: [{ port: 80 }] });
    await addPod('z', 'zoned', '10.3.0.1');
    await until('the endpoint', async () => (await slicesOf('zoned'))[0]?.endpoints?.length === 1);
    const [slice] = await slicesOf('zoned');
    assert.deepEqual([slice?.endpoints[0]?.zone, slice?.endpoints[0]?.nodeName], ['z1', 'n']);
  });

  it('keep the label of a headless service that is headless no longer until something else changes', async () => {
    const label = 'service.cluster.io/headless';
    const labelsOf = async () => (await client.resource(endpoints).get('was', { namespace })).metadata.labels ?? {};
    await addService('was', { selector: { app: 'was' }, clusterIP: 'None', ports: [{ port: 80 }] });
    await until('the endpoints', async () =>
      labelsOf().then(
        (labels) => label in labels,
        () => false,
      ),
    );
    const change = (spec: object) => client.resource(services).patch('was', { spec }, { type: 'merge', namespace });
    const none = { clusterIP: null, clusterIPs: null, ipFamilies: null, ipFamilyPolicy: null };
    await change({ ...none, type: 'ExternalName', externalName: 'example.com' });
    await change({ type: 'ClusterIP', externalName: null });
    const withoutLabel = (each: EndpointSlice | undefined) => each && !(label in (each.metadata.labels ?? {}));
    await until('the slice', async () => withoutLabel((await slicesOf('was'))[0]) === true);
    assert.deepEqual(await labelsOf(), { [label]: '' });
    await addPod('w', 'was', '10.4.0.1');
    await until('no label', async () => !(label in (await labelsOf())));
  });

  it('keep what others write into Endpoints until their Service changes, and replace deleted ones', async () => {
    await addService('edited', { selector: { app: 'edited' }, ports: [{ name: 'a', port: 80 }] });
    await addPod('e', 'edited', '10.7.0.1');
    await settled(() => packed('edited'), ['10.7.0.1 a:80']);
    const [slice] = await slicesOf('edited');
    const other = { subsets: [{ addresses: [{ ip: '10.7.0.9' }], ports: [{ name: 'b', port: 1 }] }] };
    await client.resource(endpoints).patch('edited', other, { type: 'merge', namespace });
    const change = { endpoints: [{ addresses: ['10.7.0.9'] }] };
    await client.resource(slices).patch(slice?.metadata.name ?? '', change, { type: 'merge', namespace });
    await until('the slice', async () => {
      const [present] = await slicesOf('edited');
      const isNew = present?.metadata.resourceVersion !== slice?.metadata.resourceVersion;
      return isNew && (await sliced('edited')).join() === '10.7.0.1 a:80';
    });
    assert.deepEqual(await packed('edited'), ['10.7.0.9 b:1']);
    const annotations = { touched: 'yes' };
    await client.resource(services).patch('edited', { metadata: { annotations } }, { type: 'merge', namespace });
    await settled(() => packed('edited'), ['10.7.0.1 a:80']);
    await client.resource(endpoints).delete('edited', { namespace });
    await until('new Endpoints', async () =>
      packed('edited').then(
        (found) => found.join() === '10.7.0.1 a:80',
        () => false,
      ),
    );
  });

  it('are reported if they cannot be written', async () => {
    const limited = 'limited';
    await client.resource(namespaces).create({ metadata: { name: limited } });
    const hard = { 'count/endpoints': '0', 'count/endpointslices.discovery.cl.io': '0' };
    const at = { namespace: limited };
    await client.resource(resourcequotas).create({ metadata: { name: 'none' }, spec: { hard } }, at);
    const status = { status: { hard, used: hard } };
    await client.resource(resourcequotas).patch('none', status, { type: 'merge', subresource: 'status', ...at });
    const spec = { selector: { app: 'x' }, ports: [{ port: 80 }] };
    const service = { metadata: { name: 'refused', namespace: limited }, spec };
    await client.resource(services).create(service as unknown as Service);
    const reportedAs = (reason: string, start: string) =>
      until(reason, async () =>
        (await client.resource(events).list(at)).items.some(
          (event) => event.reason === reason && event.message?.startsWith(start),
        ),
      );
    await reportedAs(
      'FailedToCreateEndpoint',
      'Failed to create endpoint for service limited/refused: endpoints "refused" is forbidden: exceeded quota: none',
    );
    await reportedAs(
      'FailedToUpdateEndpointSlices',
      'Error updating Endpoint Slices for Service limited/refused: ' +
        'failed to create EndpointSlice for Service limited/refused: endpointslices.discovery.cl.io "refused-',
    );
  });

  it('mirror one address with several host names, in slices that are kept', async () => {
    await addService('own', { ports: [{ port: 80 }] });
    const addresses = [{ ip: '10.5.0.1' }, { ip: '10.5.0.1', hostname: 'h' }];
    const subsets = (port: number) => [{ addresses, ports: [{ port, name: 'a' }] }];
    await client.resource(endpoints).create({ metadata: { name: 'own', namespace }, subsets: subsets(80) });
    await settled(() => sliced('own'), ['10.5.0.1 10.5.0.1 a:80']);
    const [slice] = await slicesOf('own');
    await client.resource(endpoints).patch('own', { subsets: subsets(81) }, { type: 'merge', namespace });
    await settled(() => sliced('own'), ['10.5.0.1 10.5.0.1 a:81']);
    assert.equal((await slicesOf('own'))[0]?.metadata.uid, slice?.metadata.uid);
  });

  it('report addresses that are too many to be mirrored', async () => {
    await addService('big', { ports: [{ port: 80 }] });
    const addresses = Array.from({ length: 1002 }, (_, index) => ({
      ip: `10.6.${Math.floor(index / 250)}.${(index % 250) + 1}`,
    }));
    const subsets = [{ addresses, ports: [{ port: 80 }] }];
    await client.resource(endpoints).create({ metadata: { name: 'big', namespace }, subsets });
    const message =
      'A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 2 addresses were skipped';
    await until('the event', async () =>
      (await client.resource(events).list({ namespace })).items.some(
        (event) => event.reason === 'TooManyAddressesToMirror' && event.message === message,
      ),
    );
    await until('the slice', async () => (await slicesOf('big'))[0]?.endpoints.length === 1000);
  });
});
