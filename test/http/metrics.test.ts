import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { startServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { readMetrics } from './read-metrics.ts';
import { openWatch } from './reads/open-watch.ts';
import { configMaps, createConfigMap } from './reads/world.ts';
import { until } from './until.ts';

const objects = 'apiserver_storage_objects{resource="configmaps"}';
const watchers = 'apiserver_registered_watchers{group="",kind="ConfigMap",version="v1"}';
const initialEvents = 'apiserver_init_events_total{resource="configmaps"}';

describe('/metrics', () => {
  it('counts the objects of the cache and its watches as they come and go', async () => {
    await using server = await startServer();
    await createConfigMap(server, 'one');
    await request(server, 'GET', configMaps);
    assert.equal((await readMetrics(server)).get(objects), 1);
    const watches = await Promise.all([openWatch(server, `${configMaps}?watch=1`), openWatch(server, configMaps)]);
    await createConfigMap(server, 'two');
    const during = await readMetrics(server);
    assert.deepEqual([during.get(objects), during.get(watchers)], [2, 1]);
    await until('the initial event', async () => (await readMetrics(server)).get(initialEvents) === 1);
    assert.equal(during.get('watch_cache_capacity{resource="configmaps"}'), 100_000);
    for (const watch of watches) watch.stop();
    await request(server, 'DELETE', `${configMaps}/one`);
    await until('no watch', async () => (await readMetrics(server)).get(watchers) === 0);
    assert.equal((await readMetrics(server)).get(objects), 1);
  });

  it('names the groups and versions of kinds as they are stored', async () => {
    await using server = await startServer({ identifiers: 'kubernetes' });
    const metrics = await readMetrics(server);
    for (const one of [
      'apiserver_storage_objects{resource="deployments.apps"}',
      'apiserver_registered_watchers{group="networking.k8s.io",kind="Ingress",version="v1"}',
      'apiserver_terminated_watchers_total{resource="pods"}',
      'process_resident_memory_bytes',
      'etcd_object_counts{resource="pods"}',
    ]) {
      assert.ok(metrics.has(one), one);
    }
  });

  it('tells the time of admission, by plugin and phase, and of refusals', async () => {
    await using server = await startServer();
    const plugin = 'apiserver_admission_controller_admission_duration_seconds_count';
    const phase = 'apiserver_admission_step_admission_duration_seconds_count';
    const before = await readMetrics(server);
    await createConfigMap(server, 'one');
    const nowhere = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const refused = await request(server, 'POST', '/api/v1/namespaces/none/configmaps', nowhere);
    assert.equal(refused.status, 404, refused.text);
    const after = await readMetrics(server);
    const grown = (series: string): number => (after.get(series) ?? 0) - (before.get(series) ?? 0);
    assert.equal(grown(`${plugin}{name="NamespaceLifecycle",operation="CREATE",rejected="false",type="admit"}`), 1);
    assert.equal(grown(`${plugin}{name="NamespaceLifecycle",operation="CREATE",rejected="true",type="admit"}`), 1);
    assert.equal(grown(`${phase}{operation="CREATE",rejected="false",type="admit"}`), 1);
    assert.equal(grown(`${phase}{operation="CREATE",rejected="true",type="admit"}`), 1);
    assert.equal(grown(`${phase}{operation="CREATE",rejected="false",type="validate"}`), 1);
  });

  it('tells the time of calls to the store by the type of their objects', async () => {
    await using server = await startServer();
    await createConfigMap(server, 'one');
    await request(server, 'GET', configMaps);
    await request(server, 'DELETE', `${configMaps}/one`);
    const metrics = await readMetrics(server);
    const calls = (operation: string, type: string): number =>
      metrics.get(`etcd_request_duration_seconds_count{operation="${operation}",type="${type}"}`) ?? 0;
    assert.equal(calls('create', '*core.ConfigMap'), 1);
    assert.equal(calls('delete', '*core.ConfigMap'), 1);
    assert.ok(calls('list', '*core.ConfigMap') >= 1);
    assert.ok(calls('create', '*scheduling.PriorityClass') >= 2);
    assert.ok(calls('status', '') >= 1);
  });

  it('counts the addresses and ports that Services get, and those that they cannot have', async () => {
    await using server = await startServer();
    const create = async (name: string, query = ''): Promise<number> => {
      const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_123 }] };
      const path = `/api/v1/namespaces/default/services${query}`;
      return (await request(server, 'POST', path, { metadata: { name }, spec })).status;
    };
    const counts = async (): Promise<readonly number[]> => {
      const series = await readMetrics(server);
      return [
        'kube_apiserver_clusterip_allocator_allocation_total{cidr="10.0.0.0/24",scope="dynamic"}',
        'kube_apiserver_nodeport_allocator_allocation_total{scope="static"}',
        'kube_apiserver_nodeport_allocator_allocation_errors_total{scope="static"}',
      ].map((name) => series.get(name) ?? 0);
    };
    const [addresses = 0] = await counts();
    assert.equal(await create('tried', '?dryRun=All'), 201);
    assert.equal(await create('first'), 201);
    assert.equal(await create('second'), 422);
    // The second Service gets an address, too, before its port is refused.
    assert.deepEqual(await counts(), [addresses + 2, 1, 1]);
    const series = await readMetrics(server);
    const ports = ['allocated', 'available'].map((name) =>
      series.get(`kube_apiserver_nodeport_allocator_${name}_ports`),
    );
    assert.deepEqual(ports, [0, 2768], 'as the last repair found them');
  });

  it('counts failed handshakes, and has the lifetime of client certificates in the buckets of alerts', async () => {
    await using server = await startServer();
    const failed = 'apiserver_tls_handshake_errors_total';
    assert.equal((await readMetrics(server)).get(failed), 0);
    const socket = connect(server.port, '127.0.0.1', () => socket.end('GET / HTTP/1.0\r\n\r\n'));
    socket.on('error', () => {});
    await until('a failed handshake', async () => (await readMetrics(server)).get(failed) === 1);
    const metrics = await readMetrics(server);
    for (const bound of ['0', '3600', '86400', '604800', '3.1104e+07', '+Inf']) {
      assert.equal(metrics.get(`apiserver_client_certificate_expiration_seconds_bucket{le="${bound}"}`), 0, bound);
    }
  });

  it('shows hidden metrics on demand only', async () => {
    for (const [emulatedRelease, shown, present] of [
      ['1.23', undefined, true],
      ['1.25', undefined, false],
      ['1.25', '1.24', true],
      ['1.26', '1.25', false],
    ] as const) {
      const hidden = shown ? { showHiddenMetricsForVersion: shown } : {};
      await using server = await startServer({ emulatedRelease, ...hidden });
      const names = [...(await readMetrics(server)).keys()];
      const has = names.some((name) => name.startsWith('etcd_object_counts{'));
      assert.equal(has, present, `${emulatedRelease} ${shown}`);
    }
  });

  it('shows the features of the release', async () => {
    await using server = await startServer({ emulatedRelease: '1.36', featureGates: ['HPAScaleToZero=true'] });
    const metrics = await readMetrics(server);
    for (const [name, stage, value] of [
      ['AllAlpha', 'ALPHA', 0],
      ['HPAScaleToZero', 'ALPHA', 1],
      ['WatchList', 'BETA', 1],
      ['SidecarContainers', '', 1],
      ['CSIStorageCapacity', 'BETA', undefined],
    ] as const) {
      assert.equal(metrics.get(`cluster_feature_enabled{name="${name}",stage="${stage}"}`), value, name);
    }
    assert.equal(metrics.get('apiserver_resource_objects{group="",resource="namespaces"}'), 4);
    const limit = (name: string) => metrics.get(`apiserver_flowcontrol_${name}{priority_level="system"}`);
    assert.deepEqual([limit('nominal_limit_seats'), limit('request_concurrency_limit')], [74, undefined]);
  });

  it('is text that Prometheus reads, for GET alone, and is listed at the root', async () => {
    await using server = await startServer();
    const { headers, text } = await request(server, 'GET', '/metrics');
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(text, /^# HELP apiserver_storage_objects \[STABLE\] .+\n# TYPE apiserver_storage_objects gauge\n/m);
    assert.equal((await request(server, 'POST', '/metrics', {})).status, 405);
    assert.equal((await request(server, 'GET', '/metrics/more')).status, 404);
    const { paths } = (await request(server, 'GET', '/')).body as { readonly paths: readonly string[] };
    assert.ok(paths.includes('/metrics'));
  });

  it('is for those who may read that path', async () => {
    const tokens = [{ token: 'someone', username: 'someone', groups: [] }];
    await using server = await startServer({ authorizationMode: 'AlwaysDeny', tokens });
    const someone = await request(server, 'GET', '/metrics', undefined, { authorization: 'Bearer someone' });
    assert.equal(someone.status, 403, someone.text);
    assert.match(someone.text, /cannot get path \\"\/metrics\\"/);
    const stranger = await request(server, 'GET', '/metrics', undefined, { authorization: 'Bearer wrong' });
    assert.equal(stranger.status, 401);
  });
});
