import assert from 'node:assert/strict';
import { cpuMsOf } from '../../unit/cpu-time.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { certificateRequest } from '../minimal-objects.ts';
import { until } from '../until.ts';
import { openWatch } from './open-watch.ts';
import { configMaps, listOf, statusOf } from './world.ts';
import { everyVersion } from '../every-version.ts';

const pods = '/api/v1/namespaces/default/pods';
const requests = '/apis/certificates.cl.io/v1/certificatesigningrequests';

/** An object, where it is created, and what it says that selectors look at. */
interface Selectable {
  readonly collection: string;
  readonly object: { readonly metadata: { readonly name: string } } & Record<string, unknown>;
  /** Written to the status sub-resource. */
  readonly status?: object;
  /** Every field of the kind, with the object's value; '' where it has none. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The kinds of reference wire ("Names, labels, sizes") with selectable fields of their own. */
const selectables: readonly Selectable[] = [
  {
    collection: '/api/v1/namespaces/default/secrets',
    object: { metadata: { name: 'chosen' }, type: 'example.com/kind' },
    fields: { type: 'example.com/kind' },
  },
  {
    collection: pods,
    object: {
      metadata: { name: 'chosen' },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        nodeName: 'node-7',
        restartPolicy: 'Never',
        schedulerName: 'mine',
        serviceAccountName: 'robot',
      },
    },
    status: { phase: 'Running', podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] },
    fields: {
      'spec.nodeName': 'node-7',
      'spec.restartPolicy': 'Never',
      'spec.schedulerName': 'mine',
      'spec.serviceAccountName': 'robot',
      'status.phase': 'Running',
      'status.podIP': '10.1.2.3',
    },
  },
  {
    // No pod that has a node is nominated for another one, since release 1.35.
    collection: pods,
    object: { metadata: { name: 'nominated' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    status: { phase: 'Pending', nominatedNodeName: 'node-8' },
    fields: { 'status.nominatedNodeName': 'node-8' },
  },
  {
    collection: '/api/v1/namespaces/default/events',
    object: {
      metadata: { name: 'chosen' },
      involvedObject: {
        kind: 'Pod',
        namespace: 'default',
        name: 'p',
        uid: 'u-1',
        apiVersion: 'v1',
        resourceVersion: '17',
        fieldPath: 'spec.containers{c}',
      },
      reason: 'Started',
      source: { component: 'agent' },
      type: 'Normal',
      reportingComponent: 'example.com/reporter',
    },
    fields: {
      'involvedObject.kind': 'Pod',
      'involvedObject.namespace': 'default',
      'involvedObject.name': 'p',
      'involvedObject.uid': 'u-1',
      'involvedObject.apiVersion': 'v1',
      'involvedObject.resourceVersion': '17',
      'involvedObject.fieldPath': 'spec.containers{c}',
      reason: 'Started',
      source: 'agent',
      type: 'Normal',
      reportingComponent: 'example.com/reporter',
    },
  },
  {
    collection: '/apis/events.cl.io/v1/namespaces/default/events',
    object: {
      metadata: { name: 'told' },
      regarding: { kind: 'Pod', namespace: 'default', name: 'p', uid: 'u-1', apiVersion: 'v1' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      type: 'Normal',
      reason: 'Told',
      action: 'Tell',
      reportingController: 'example.com/story',
      reportingInstance: 'story-1',
    },
    fields: {
      'regarding.kind': 'Pod',
      'regarding.namespace': 'default',
      'regarding.name': 'p',
      'regarding.uid': 'u-1',
      'regarding.apiVersion': 'v1',
      reportingController: 'example.com/story',
    },
  },
  {
    collection: '/api/v1/nodes',
    object: { metadata: { name: 'chosen' }, spec: { unschedulable: true } },
    fields: { 'spec.unschedulable': 'true' },
  },
  {
    collection: '/api/v1/namespaces',
    object: { metadata: { name: 'chosen' } },
    fields: { 'status.phase': 'Active' },
  },
  {
    collection: requests,
    object: {
      metadata: { name: 'chosen' },
      spec: { request: certificateRequest(), signerName: 'example.com/chosen', usages: ['client auth'] },
    },
    fields: { 'spec.signerName': 'example.com/chosen' },
  },
];

const escaped = (value: string): string => value.replaceAll(/[\\,=]/g, '\\$&');
const withSelector = (path: string, selector: string): string =>
  `${path}?fieldSelector=${encodeURIComponent(selector)}`;

async function namesOf(server: TestServer, path: string): Promise<string[]> {
  return listOf(await request(server, 'GET', path)).items.map(({ metadata }) => metadata.name);
}

describe('field selectors', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ ...everyVersion, compactionIntervalMs: 0 });
    for (const { collection, object, status } of selectables) {
      const created = await request(server, 'POST', collection, object);
      assert.equal(created.status, 201, created.text);
      if (!status) continue;
      const path = `${collection}/${object.metadata.name}/status`;
      // The answer to a create is the object.
      const body = { ...(created.body as object), status };
      const changed = await request(server, 'PUT', path, body);
      assert.equal(changed.status, 200, changed.text);
    }
  });
  after(() => server.stop());

  for (const { collection, object, fields } of selectables) {
    const { name } = object.metadata;
    for (const [field, value] of Object.entries({ 'metadata.name': name, ...fields })) {
      it(`select ${collection.slice(collection.lastIndexOf('/') + 1)} by ${field}`, async () => {
        const own = `metadata.name=${name},`;
        const cases: readonly [selector: string, selected: boolean][] = [
          [`${own}${field}=${escaped(value)}`, true],
          [`${own}${field}==${escaped(value)}`, true],
          [`${own}${field}!=${escaped(value)}`, false],
          [`${own}${field}=other`, false],
          [`${own}${field}!=other`, true],
          [`${own}${field}=`, false],
        ];
        for (const [selector, selected] of cases) {
          const names = await namesOf(server, withSelector(collection, selector));
          assert.deepEqual(names, selected ? [name] : [], selector);
        }
        const found = await namesOf(server, withSelector(collection, `${field}=${escaped(value)}`));
        assert.ok(found.includes(name));
      });
    }
  }

  it('follow a namespace into its end', async () => {
    const path = `${withSelector('/api/v1/namespaces', 'status.phase=Terminating')}&watch=1`;
    const watch = await openWatch(server, path);
    await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'ending' } });
    await request(server, 'DELETE', '/api/v1/namespaces/ending');
    await until('the namespace', () => watch.events.length > 0);
    assert.deepEqual(
      watch.events.map(({ type, object }) => `${type} ${object.metadata.name}`),
      ['ADDED ending'],
    );
    watch.stop();
  });

  it('take escaped separators in a value, and refuse other escapes', async () => {
    const secrets = '/api/v1/namespaces/default/secrets';
    assert.deepEqual(await namesOf(server, withSelector(secrets, 'type=a\\,b\\=c\\\\d')), []);
    for (const selector of ['type=a\\b', 'type=a=b', 'type']) {
      assert.equal((await request(server, 'GET', withSelector(secrets, selector))).status, 400, selector);
    }
  });

  it('of a field that the kind does not offer are refused, for every kind that is listed', async () => {
    const { resources } = builtInCatalogue(identifiersOf('cluster')).current;
    for (const { group, resource, versions } of resources) {
      for (const { version, verbs } of versions) {
        if (!verbs.includes('list')) continue;
        const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}/${resource}`;
        for (const query of verbs.includes('watch') ? ['', '&watch=1'] : ['']) {
          const response = await request(server, 'GET', `${withSelector(path, 'spec.zork=1')}${query}`);
          assert.equal(response.status, 400, path);
          const { reason, message } = statusOf(response);
          assert.equal(reason, 'BadRequest');
          assert.match(
            message,
            /^field label not supported: spec\.zork$|^"spec\.zork" is not a known field selector: only /,
          );
        }
      }
    }
  });
});

describe('selectors', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ compactionIntervalMs: 0 });
    const labels: Record<string, Record<string, string>> = {
      a: { app: 'web', tier: 'front', n: '1' },
      b: { app: 'web', tier: 'back', n: '22' },
      c: { app: 'db', 'example.com/x': '' },
      d: { n: 'many' },
      e: {},
    };
    for (const [name, own] of Object.entries(labels)) {
      await request(server, 'POST', configMaps, { metadata: { name, labels: own } });
    }
  });
  after(() => server.stop());

  const cases: readonly [selector: string, names: string][] = [
    ['', 'abcde'],
    ['app=web', 'ab'],
    ['app==web', 'ab'],
    ['app!=web', 'cde'],
    ['app in (web, db)', 'abc'],
    ['app in (db)', 'c'],
    ['app notin (web)', 'cde'],
    ['app notin (web,db)', 'de'],
    ['app', 'abc'],
    ['!app', 'de'],
    ['app,!tier', 'c'],
    ['app=web,tier in (front,side)', 'a'],
    ['app=web,app=db', ''],
    ['n>1', 'b'],
    ['n<22', 'a'],
    ['example.com/x', 'c'],
    ['example.com/x=', 'c'],
    ['example.com/x in (,y)', 'c'],
    [' app  in ( web )  ,  tier = back ', 'b'],
    ['constructor', ''],
    ['constructor!=x', 'abcde'],
  ];
  for (const [selector, names] of cases) {
    it(`list and watch with labelSelector ${JSON.stringify(selector)}: ${names || 'nothing'}`, async () => {
      const path = `${configMaps}?labelSelector=${encodeURIComponent(selector)}`;
      assert.equal((await namesOf(server, path)).join(''), names);
      const watch = await openWatch(server, `${path}&watch=1&resourceVersion=0`);
      await until('the state', () => watch.events.length >= names.length);
      assert.equal(watch.events.map(({ object }) => object.metadata.name).join(''), names);
      watch.stop();
    });
  }

  const longest = 60_000;
  const long: readonly [what: string, query: string][] = [
    ['labels', `labelSelector=${'a,'.repeat(longest / 2)}a`],
    ['values', `labelSelector=a+in+(${'b,'.repeat(longest / 2)}b)`],
    ['brackets', `labelSelector=${'('.repeat(longest)}`],
    ['exclamation marks', `labelSelector=${'!'.repeat(longest)}`],
    ['fields', `fieldSelector=${'metadata.name!=a,'.repeat(longest / 17)}`],
    ['backslashes', `fieldSelector=metadata.name=${'\\'.repeat(longest)}`],
  ];
  for (const [what, query] of long) {
    it(`of ${longest} bytes of ${what} are answered at once`, async () => {
      const cpuMs = await cpuMsOf(async () => {
        const { status } = await request(server, 'GET', `${configMaps}?${query}`);
        assert.ok([200, 400].includes(status), String(status));
      });
      assert.ok(cpuMs < 3_000, `${cpuMs} ms of the processor`);
    });
  }

  it('longer than 64 KiB are refused, before they are read or by what they say', async () => {
    const { status } = await request(server, 'GET', `${configMaps}?labelSelector=${'a,'.repeat(40_000)}a`);
    assert.ok([400, 414, 431].includes(status), String(status));
  });
});
