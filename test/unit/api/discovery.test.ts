import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { everyVersion } from '../../../src/catalogue/served-definitions.ts';
import { type Fixture, at, identifiers, startFixture } from './fixture.ts';
import { readBody } from './protobuf-messages.ts';

const aggregated = (version: string) => ({
  accept: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`,
});

function named(list: unknown, name: string, key = 'name'): unknown {
  return Array.isArray(list) ? list.find((item) => at(item, key) === name) : undefined;
}

describe('discovery', () => {
  let server: Fixture;

  before(async () => {
    server = await startFixture({ catalogue: builtInCatalogue(identifiers, { ...everyVersion, release: '1.21' }) });
  });
  after(() => server[Symbol.asyncDispose]());

  it('lists the core versions and where the server is', async () => {
    const response = await server.send({ path: '/api' });
    assert.deepEqual(response.json(), {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: `127.0.0.1:${server.port}` }],
    });
  });

  it('lists groups, without the core group', async () => {
    const response = await server.send({ path: '/apis' });
    assert.ok(response.text.startsWith('{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"'));
    const apps = named(response.at('groups'), 'apps');
    assert.deepEqual(apps, {
      name: 'apps',
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    });
    assert.equal(named(response.at('groups'), ''), undefined);
  });

  it('describes one group', async () => {
    assert.equal(
      (await server.send({ path: '/apis/apps' })).text,
      '{"kind":"APIGroup","apiVersion":"v1","name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],' +
        '"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}}\n',
    );
  });

  it('lists the resources of a version with what clients need to use them', async () => {
    const core = await server.send({ path: '/api/v1' });
    assert.ok(core.text.startsWith('{"kind":"APIResourceList","groupVersion":"v1","resources":['));
    assert.deepEqual(named(core.at('resources'), 'pods'), {
      name: 'pods',
      singularName: 'pod',
      namespaced: true,
      kind: 'Pod',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['po'],
      categories: ['all'],
      storageVersionHash: 'xPOwRZ+Yhw8=',
    });
    const apps = await server.send({ path: '/apis/apps/v1' });
    assert.ok(apps.text.startsWith('{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1"'));
    assert.deepEqual(named(apps.at('resources'), 'deployments/status'), {
      name: 'deployments/status',
      singularName: '',
      namespaced: true,
      kind: 'Deployment',
      verbs: ['get', 'patch', 'update'],
    });
  });

  it('lists the sub-resources of core kinds as kube-apiserver 1.20 does', async () => {
    const core = await server.send({ path: '/api/v1' });
    const proxy = ['create', 'delete', 'get', 'patch', 'update'];
    const expected: readonly [name: string, namespaced: boolean, kind: string, verbs: readonly string[]][] = [
      ['nodes/proxy', false, 'NodeProxyOptions', proxy],
      ['pods/attach', true, 'PodAttachOptions', ['create', 'get']],
      ['pods/binding', true, 'Binding', ['create']],
      ['pods/exec', true, 'PodExecOptions', ['create', 'get']],
      ['pods/log', true, 'Pod', ['get']],
      ['pods/portforward', true, 'PodPortForwardOptions', ['create', 'get']],
      ['pods/proxy', true, 'PodProxyOptions', proxy],
      ['services/proxy', true, 'ServiceProxyOptions', proxy],
    ];
    for (const [name, namespaced, kind, verbs] of expected) {
      assert.deepEqual(named(core.at('resources'), name), { name, singularName: '', namespaced, kind, verbs });
    }
    const items = (await server.send({ path: '/api', headers: aggregated('v2') })).at('items.0.versions.0.resources');
    assert.deepEqual(named(at(named(items, 'pods', 'resource'), 'subresources'), 'exec', 'subresource'), {
      subresource: 'exec',
      responseKind: { group: '', version: '', kind: 'PodExecOptions' },
      verbs: ['create', 'get'],
    });
  });

  for (const version of ['v2', 'v2beta1']) {
    it(`answers everything at once as ${version}, and 304 while it is the same`, async () => {
      const response = await server.send({ path: '/apis', headers: aggregated(version) });
      const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
      assert.equal(response.headers['content-type'], contentType);
      assert.equal(response.at('apiVersion'), `apidiscovery.k8s.io/${version}`);
      const apps = named(response.at('items'), 'apps', 'metadata.name');
      assert.equal(at(apps, 'versions.0.version'), 'v1');
      const deployments = named(at(apps, 'versions.0.resources'), 'deployments', 'resource');
      assert.equal(at(deployments, 'scope'), 'Namespaced');
      assert.equal(at(deployments, 'singularResource'), 'deployment');
      const headers = { ...aggregated(version), 'if-none-match': response.headers.etag };
      const again = await server.send({ path: '/apis', headers });
      assert.equal(again.status, 304);
      assert.equal(again.text, '');
      const core = await server.send({ path: '/api', headers: aggregated(version) });
      assert.deepEqual(core.at('items.0.metadata'), {});
      assert.equal(core.headers['cache-control'], 'public');
      assert.notEqual(core.headers.etag, response.headers.etag);
    });
  }

  it('answers everything at once in YAML and Protobuf, but not in CBOR', async () => {
    const parameters = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const json = await server.send({ path: '/apis', headers: aggregated('v2') });
    const yaml = await server.send({ path: '/apis', headers: { accept: `application/yaml${parameters}` } });
    assert.equal(yaml.headers['content-type'], `application/yaml${parameters}`);
    assert.deepEqual(parse(yaml.text), json.json());
    assert.equal(yaml.headers.etag, json.headers.etag);
    const accept = `application/vnd.kubernetes.protobuf${parameters}`;
    const { headers, bytes } = await server.send({ path: '/apis', headers: { accept } });
    assert.equal(headers['content-type'], accept);
    const list = readBody('api.apidiscovery.v2.APIGroupDiscoveryList', bytes).object;
    const groups = (json.at('items') as readonly object[]).map((group) => at(group, 'metadata.name'));
    assert.deepEqual(
      (list['items'] as readonly object[]).map((group) => at(group, 'metadata.name')),
      groups,
    );
    const cbor = await server.send({ path: '/apis', headers: { accept: `application/cbor${parameters}` } });
    assert.equal(cbor.status, 406);
  });

  it('names the kinds of sub-resources by group, version and kind alone', async () => {
    const { text } = await server.send({ path: '/apis', headers: aggregated('v2') });
    const responseKinds = [...text.matchAll(/"responseKind":(\{[^}]*\})/g)].map(
      ([, kind = '']) => JSON.parse(kind) as object,
    );
    assert.ok(responseKinds.length > 50);
    for (const kind of responseKinds) assert.deepEqual(Object.keys(kind), ['group', 'version', 'kind']);
  });

  it('prefers the form that the client names first', async () => {
    const accept = `application/json,${aggregated('v2').accept}`;
    assert.equal((await server.send({ path: '/apis', headers: { accept } })).at('kind'), 'APIGroupList');
    const unknown = await server.send({ path: '/apis', headers: aggregated('v7') });
    assert.equal(unknown.at('kind'), 'APIGroupList');
  });

  it('lists paths at the root and reports the version, indented', async () => {
    const paths = (await server.send({ path: '/' })).at('paths');
    for (const path of ['/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/livez', '/version']) {
      assert.ok(Array.isArray(paths) && paths.includes(path), path);
    }
    assert.equal((await server.send({ path: '/version' })).text, '{\n  "major": "1",\n  "minor": "23"\n}');
  });
});

describe('health', () => {
  let server: Fixture;

  before(async () => {
    const ping = { name: 'ping', check: () => undefined };
    const fails = { name: 'etcd', check: () => Promise.reject(new Error('secret detail')) };
    server = await startFixture({ health: { livez: [ping, { ...ping, name: 'log' }], readyz: [ping, fails] } });
  });
  after(() => server[Symbol.asyncDispose]());

  const cases: readonly [path: string, status: number, text: string][] = [
    ['/livez', 200, 'ok'],
    ['/healthz', 200, 'ok'],
    ['/livez?verbose', 200, '[+]ping ok\n[+]log ok\nlivez check passed\n'],
    ['/healthz?verbose=true', 200, '[+]ping ok\n[+]log ok\nhealthz check passed\n'],
    ['/livez?verbose&exclude=log', 200, '[+]ping ok\n[+]log excluded: ok\nlivez check passed\n'],
    [
      '/livez?verbose&exclude=nope',
      200,
      '[+]ping ok\n[+]log ok\nwarn: some health checks cannot be excluded: no matches for "nope"\nlivez check passed\n',
    ],
    ['/readyz', 500, '[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n'],
    ['/readyz?exclude=etcd', 200, 'ok'],
    ['/readyz/ping', 200, 'ok'],
    ['/readyz/etcd', 500, 'internal server error: reason withheld\n'],
  ];
  for (const [path, status, text] of cases) {
    it(`answers ${status} to ${path}`, async () => {
      const response = await server.send({ path });
      assert.equal(response.status, status);
      assert.equal(response.text, text);
      assert.equal(response.headers['content-type'], 'text/plain; charset=utf-8');
    });
  }

  for (const path of ['/readyz/nope', '/readyz/ping/more', '/readyz/', '/openapi/v2/']) {
    it(`answers 404 to ${path}, with the paths that there are`, async () => {
      const response = await server.send({ path });
      assert.equal(response.status, 404);
      const { paths } = JSON.parse(response.text) as { readonly paths: readonly string[] };
      assert.ok(paths.includes('/readyz/ping'), paths.join(' '));
    });
  }

  it('runs a check once for all requests that ask while it runs', async () => {
    let calls = 0;
    let release = (): void => {};
    const check = () => {
      calls++;
      return new Promise<void>((resolve) => (release = resolve));
    };
    const ping = { name: 'ping', check: () => undefined };
    await using probed = await startFixture({ health: { livez: [ping], readyz: [ping, { name: 'etcd', check }] } });
    let arrived = 0;
    const count = 5;
    const all = new Promise<void>((resolve) => {
      probed.server.on('request', () => void (++arrived === count && resolve()));
    });
    const paths = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? '/readyz' : '/readyz/etcd'));
    const responses = paths.map((path) => probed.send({ path }));
    await all;
    // Takes the same way as those before it, which then wait for the check.
    assert.equal((await probed.send({ path: '/livez' })).status, 200);
    assert.equal(calls, 1);
    release();
    for (const response of await Promise.all(responses)) assert.equal(response.text, 'ok');
    const next = probed.send({ path: '/readyz' });
    await new Promise<void>((resolve) => probed.server.once('request', () => setImmediate(resolve)));
    release();
    assert.equal((await next).status, 200);
    assert.equal(calls, 2);
  });

  it('writes why a check fails to the log alone', async () => {
    await server.send({ path: '/readyz' });
    assert.ok(server.logged.some(([level, , message]) => level === 'warn' && message === 'health check failed'));
  });

  it('writes a reason to the log once, until it changes, and none of a check that waits for the start', async () => {
    let problem: string | undefined = 'no answer';
    let isStarting = true;
    const ping = { name: 'ping', check: () => undefined };
    const check = (): void => {
      if (problem !== undefined) throw new Error(problem);
    };
    const checks = [
      { name: 'etcd', check },
      { name: 'hook', check, isPending: () => isStarting },
    ];
    await using probed = await startFixture({ health: { livez: [ping], readyz: checks } });
    const probe = () => probed.send({ path: '/readyz' });
    await probe();
    await probe();
    problem = 'another';
    assert.equal((await probe()).status, 500);
    problem = undefined;
    assert.equal((await probe()).status, 200);
    problem = 'another';
    isStarting = false;
    await probe();
    const records = probed.logged.filter(([, , message]) => message === 'health check failed');
    assert.deepEqual(
      records.map(([, details]) => details),
      [
        { check: 'etcd', reason: 'no answer' },
        { check: 'etcd', reason: 'another' },
        { check: 'etcd', reason: 'another' },
        { check: 'hook', reason: 'another' },
      ],
    );
  });
});
