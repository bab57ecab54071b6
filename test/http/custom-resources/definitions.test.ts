import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringsAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { readEvents, request } from '../http-client.ts';
import { until } from '../until.ts';
import { conditionsIn, define, definitions, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const mergePatch = { 'content-type': 'application/merge-patch+json' };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.cl.io' };

describe('a CustomResourceDefinition', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  const get = async (path: string): Promise<JsonObject> => (await request(server, 'GET', path)).body as JsonObject;
  const statusOf = async (method: string, path: string, body?: JsonObject) =>
    (await request(server, method, path, body)).status;

  it('is served soon, with its names in discovery', async () => {
    const group = 'names.example.com';
    assert.equal(await statusOf('GET', widgetsAt(group)), 404);
    await define(server, widgetsIn(group));
    assert.equal(await statusOf('GET', widgetsAt(group)), 200);
    const [resource] = objectsAt(await get(`/apis/${group}/v1`), 'resources');
    const { name, singularName, kind, namespaced, shortNames, categories } = resource ?? {};
    assert.deepEqual(
      { name, singularName, kind, namespaced, shortNames, categories },
      {
        name: 'widgets',
        singularName: 'widget',
        kind: 'Widget',
        namespaced: true,
        shortNames: ['wd'],
        categories: ['all'],
      },
    );
    const groups = objectsAt(await get('/apis'), 'groups').map((one) => one['name']);
    assert.ok(groups.includes(group));
  });

  it('is published in both versions of OpenAPI', async () => {
    const group = 'openapi.example.com';
    await define(server, widgetsIn(group));
    const second = objectAt(await get('/openapi/v2'), 'definitions');
    const published = objectAt(second, 'com.example.openapi.v1.Widget', 'properties', 'spec', 'properties');
    assert.deepEqual(objectAt(published, 'size'), { type: 'integer', minimum: 1, maximum: 9 });
    assert.deepEqual(objectAt(published, 'note'), {}, 'a value that may be null has no shape in version 2');
    const third = objectAt(await get(`/openapi/v3/apis/${group}/v1`), 'components', 'schemas');
    const path = `/apis/${group}/v1/namespaces/{namespace}/widgets/{name}`;
    const patches = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
    const { patch } = objectAt(await get('/openapi/v2'), 'paths', path);
    assert.deepEqual((patch as JsonObject)['consumes'], patches, 'clients take others for supported');
    const whole = objectAt(third, 'com.example.openapi.v1.Widget', 'properties', 'spec', 'properties');
    assert.deepEqual(objectAt(whole, 'color'), { type: 'string', default: 'red', enum: ['red', 'blue'] });
    assert.ok(objectAt(third, 'com.example.openapi.v1.WidgetList', 'properties', 'items'));
  });

  it('is published without fields in version 2 of OpenAPI if its objects may have any', async () => {
    const group = 'loose.example.com';
    const properties = { spec: { type: 'object', properties: { a: { type: 'string' } } } };
    const root = { type: 'object', description: 'Loose', 'x-cluster-preserve-unknown-fields': true, properties };
    await define(server, widgetsIn(group, { versions: [versionOf('v1', { schema: { openAPIV3Schema: root } })] }));
    const { 'x-cluster-group-version-kind': kinds, ...second } = objectAt(
      await get('/openapi/v2'),
      'definitions',
      'com.example.loose.v1.Widget',
    );
    assert.deepEqual(second, { type: 'object' });
    assert.deepEqual(kinds, [{ group, kind: 'Widget', version: 'v1' }]);
    const third = objectAt(await get(`/openapi/v3/apis/${group}/v1`), 'components', 'schemas');
    assert.deepEqual(objectAt(third, 'com.example.loose.v1.Widget', 'properties', 'spec'), properties.spec);
  });

  it('allows no new objects while it is being deleted, and says so', async () => {
    const group = 'ending.example.com';
    await define(server, widgetsIn(group));
    const held = { kind: 'Widget', metadata: { name: 'held', finalizers: ['example.com/hold'] }, spec: { size: 1 } };
    assert.equal(await statusOf('POST', widgetsAt(group), held), 201);
    assert.equal(await statusOf('DELETE', `${definitions}/widgets.${group}`), 200);
    const other = { kind: 'Widget', metadata: { name: 'other' }, spec: { size: 1 } };
    await until('the end of creates', async () => {
      const { status, text } = await request(server, 'POST', widgetsAt(group), other);
      if (status !== 405) return false;
      assert.match(text, /create not allowed while custom resource definition is terminating/);
      return true;
    });
    const free = { metadata: { finalizers: null } };
    assert.equal((await request(server, 'PATCH', `${widgetsAt(group)}/held`, free, mergePatch)).status, 200);
  });

  it('may have the short name of another one only once that has gone', async () => {
    const group = 'short.example.com';
    const named = (plural: string, shortName: string): JsonObject => {
      const kind = `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}`;
      const names = { plural, kind, shortNames: [shortName] };
      return { ...widgetsIn(group, { names }), metadata: { name: `${plural}.${group}` } };
    };
    await define(server, named('gears', 'ger'));
    assert.equal(await statusOf('POST', definitions, named('cogs', 'ger')), 201);
    const cogs = `${definitions}/cogs.${group}`;
    await until('the conflict', async () => conditionsIn(await get(cogs))['NamesAccepted'] === 'False');
    assert.equal(conditionsIn(await get(cogs))['Established'], 'False');
    assert.equal(await statusOf('GET', `/apis/${group}/v1/cogs`), 404);
    await define(server, named('pins', 'pin-short'));
    const pins = `${definitions}/pins.${group}`;
    const renamed = { spec: { names: { shortNames: ['ger'] } } };
    assert.equal((await request(server, 'PATCH', pins, renamed, mergePatch)).status, 200);
    await until('the second conflict', async () => conditionsIn(await get(pins))['NamesAccepted'] === 'False');
    assert.equal(conditionsIn(await get(pins))['Established'], 'True', 'its objects are served as before');
    const accepted = objectAt(await get(pins), 'status', 'acceptedNames');
    assert.deepEqual(accepted['shortNames'], ['pin-short']);
    assert.equal(await statusOf('DELETE', `${definitions}/gears.${group}`), 200);
    await until('the free name', async () => {
      const states = [conditionsIn(await get(cogs)), conditionsIn(await get(pins))];
      return states.filter(({ NamesAccepted }) => NamesAccepted === 'True').length === 1;
    });
  });

  it('is refused with the name of the extension that keeps unknown fields', async () => {
    const group = 'hint.example.com';
    const { status, text } = await request(
      server,
      'POST',
      definitions,
      widgetsIn(group, { preserveUnknownFields: true }),
    );
    assert.equal(status, 422);
    assert.match(text, /set x-cluster-preserve-unknown-fields to true in spec\.versions\[\*\]\.schema instead/);
  });

  it('waits for names that another definition has', async () => {
    const group = 'conflicts.example.com';
    await define(server, widgetsIn(group));
    const rival = {
      ...widgetsIn(group, { names: { plural: 'gadgets', kind: 'Widget' } }),
      metadata: { name: `gadgets.${group}` },
    };
    assert.equal(await statusOf('POST', definitions, rival), 201);
    const path = `${definitions}/gadgets.${group}`;
    await until('the conflict', async () => conditionsIn(await get(path))['NamesAccepted'] === 'False');
    assert.equal(conditionsIn(await get(path))['Established'], 'False');
    assert.equal(await statusOf('GET', `/apis/${group}/v1/gadgets`), 404);

    const renamed = { spec: { names: { kind: 'Gadget', listKind: 'GadgetList', singular: 'gadget' } } };
    assert.equal((await request(server, 'PATCH', path, renamed, mergePatch)).status, 200, 'a kind that nobody has yet');
    await until('the new name', async () => conditionsIn(await get(path))['Established'] === 'True');
    const again = await request(server, 'PATCH', path, { spec: { names: { kind: 'Other' } } }, mergePatch);
    assert.equal(again.status, 422, again.text);
    await until('the gadgets', async () => (await statusOf('GET', `/apis/${group}/v1/gadgets`)) === 200);
  });

  it('gets names that become free', async () => {
    const group = 'freed.example.com';
    await define(server, widgetsIn(group));
    const rival = {
      ...widgetsIn(group, { names: { plural: 'gadgets', kind: 'Widget' } }),
      metadata: { name: `gadgets.${group}` },
    };
    assert.equal(await statusOf('POST', definitions, rival), 201);
    const path = `${definitions}/gadgets.${group}`;
    await until('the conflict', async () => conditionsIn(await get(path))['NamesAccepted'] === 'False');
    assert.equal(await statusOf('DELETE', `${definitions}/widgets.${group}`), 200);
    await until('the names to be free', async () => conditionsIn(await get(path))['Established'] === 'True');
    await until('the gadgets', async () => (await statusOf('GET', `/apis/${group}/v1/gadgets`)) === 200);
  });

  it('goes when its objects are gone, which finalizers may prevent, and can come back at once', async () => {
    const group = 'ends.example.com';
    const definition = widgetsIn(group);
    const path = `${definitions}/widgets.${group}`;
    await define(server, definition);
    const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] }, spec: { size: 1 } };
    for (const body of [held, { metadata: { name: 'free' }, spec: { size: 1 } }]) {
      const created = await request(server, 'POST', widgetsAt(group), { kind: 'Widget', ...body });
      assert.equal(created.status, 201, created.text);
    }
    const deleted = await request(server, 'DELETE', path);
    assert.equal(deleted.status, 200, deleted.text);
    assert.equal(conditionsIn(deleted.body as JsonObject)['Terminating'], 'True');
    await until('the free widget to go', async () => (await statusOf('GET', `${widgetsAt(group)}/free`)) === 404);
    assert.equal(await statusOf('GET', path), 200);
    const late = { kind: 'Widget', metadata: { name: 'late' }, spec: { size: 1 } };
    assert.equal(await statusOf('POST', widgetsAt(group), late), 405);

    const release = { metadata: { finalizers: null } };
    const watch = readEvents(server, `${widgetsAt(group)}?watch=1`);
    await until('the watch', () => watch.events.length > 0);
    const patched = await request(server, 'PATCH', `${widgetsAt(group)}/held`, release, mergePatch);
    assert.equal(patched.status, 200, patched.text);
    await until('the end of the last widget', () => watch.events.at(-1)?.type === 'DELETED');
    watch.stop();
    await until('the definition to go', async () => (await statusOf('GET', path)) === 404);
    await until('the resource to go', async () => (await statusOf('GET', widgetsAt(group))) === 404);

    await define(server, definition);
    assert.deepEqual(objectsAt(await get(widgetsAt(group)), 'items'), []);
  });

  it('takes its objects along when it goes although none of its versions is served', async () => {
    const group = 'unserved.example.com';
    const definition = widgetsIn(group);
    const path = `${definitions}/widgets.${group}`;
    await define(server, definition);
    const widget = { kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
    assert.equal(await statusOf('POST', widgetsAt(group), widget), 201);
    const hidden = { spec: { versions: [versionOf('v1', { served: false })] } };
    assert.equal((await request(server, 'PATCH', path, hidden, mergePatch)).status, 200);
    await until('the resource to go', async () => (await statusOf('GET', widgetsAt(group))) === 404);
    assert.equal(await statusOf('DELETE', path), 200);
    await until('the definition to go', async () => (await statusOf('GET', path)) === 404);
    await define(server, definition);
    assert.deepEqual(objectsAt(await get(widgetsAt(group)), 'items'), []);
  });

  it('adds versions and takes them away while others are watched', async () => {
    const group = 'versions.example.com';
    const definition = widgetsIn(group);
    await define(server, definition);
    await define(server, widgetsIn('bystander.example.com'));
    const watch = readEvents(server, `${widgetsAt('bystander.example.com')}?watch=1`);
    try {
      const second = versionOf('v2', {
        storage: false,
        deprecated: true,
        deprecationWarning: 'd\u00e9pr\u00e9ci\u00e9',
      });
      const versions = [versionOf('v1'), second];
      const path = `${definitions}/widgets.${group}`;
      assert.equal((await request(server, 'PATCH', path, { spec: { versions } }, mergePatch)).status, 200);
      await until('version v2', async () => (await statusOf('GET', widgetsAt(group, 'v2'))) === 200);
      const widget = { kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
      assert.equal(await statusOf('POST', widgetsAt(group), widget), 201);
      const read = await request(server, 'GET', `${widgetsAt(group, 'v2')}/a`);
      assert.equal((read.body as JsonObject)['apiVersion'], `${group}/v2`);
      const warning = Buffer.from('299 - "d\u00e9pr\u00e9ci\u00e9"').toString('latin1');
      assert.equal(read.headers['warning'], warning);
      // The head of a watch is sent before there is a body.
      const watched = await request(server, 'GET', `${widgetsAt(group, 'v2')}?watch=1&timeoutSeconds=1`);
      assert.equal(watched.headers['warning'], warning);
      const older = [versionOf('v1', { deprecated: true }), versionOf('v2', { storage: false })];
      const most = [...older, versionOf('v3', { storage: false, served: false })];
      assert.equal((await request(server, 'PATCH', path, { spec: { versions: most } }, mergePatch)).status, 200);
      await until('the warning', async () => {
        const { headers } = await request(server, 'GET', `${widgetsAt(group)}/a`);
        return headers['warning'] === `299 - "${group}/v1 Widget is deprecated; use ${group}/v2 Widget"`;
      });

      const stored = [versionOf('v1', { storage: false }), versionOf('v2')];
      assert.equal((await request(server, 'PATCH', path, { spec: { versions: stored } }, mergePatch)).status, 200);
      await until('both stored versions', async () => {
        return stringsAt(objectAt(await get(path), 'status'), 'storedVersions').join() === 'v1,v2';
      });
      const inNew = await request(server, 'GET', `${widgetsAt(group, 'v2')}/a`);
      assert.equal((inNew.body as JsonObject)['apiVersion'], `${group}/v2`);
      const inOld = await request(server, 'GET', `${widgetsAt(group)}/a`);
      assert.equal((inOld.body as JsonObject)['apiVersion'], `${group}/v1`);

      const dropped = await request(server, 'PATCH', path, { spec: { versions: [versionOf('v2')] } }, mergePatch);
      assert.equal(dropped.status, 422);
      assert.match(dropped.text, /status\.storedVersions\[0\]: Invalid value: \\"v1\\": must appear in spec\.versions/);

      const without = [versionOf('v1', { storage: false, served: false }), versionOf('v2')];
      assert.equal((await request(server, 'PATCH', path, { spec: { versions: without } }, mergePatch)).status, 200);
      await until('version v1 to go', async () => (await statusOf('GET', widgetsAt(group))) === 404);
      assert.equal(await statusOf('GET', `${widgetsAt(group, 'v2')}/a`), 200);

      const other = { kind: 'Widget', metadata: { name: 'b' }, spec: { size: 1 } };
      assert.equal(await statusOf('POST', widgetsAt('bystander.example.com'), other), 201);
      await until('the event of the bystander', () => watch.events.some(({ type }) => type === 'ADDED'));
    } finally {
      watch.stop();
    }
  });

  it('changes and deletes nothing of a built-in resource that it names', async () => {
    const group = 'coordination.cl.io';
    const leases = `/apis/${group}/v1/namespaces/default/leases`;
    const lease = (name: string) => ({ metadata: { name }, spec: { holderIdentity: 'me' } });
    assert.equal(await statusOf('POST', leases, lease('mine')), 201);
    const definition = {
      ...widgetsIn(group, { names: { plural: 'leases', kind: 'Lease' } }),
      metadata: { name: `leases.${group}`, annotations: { 'api-approved.cluster.io': 'unapproved, for a test' } },
    };
    await define(server, definition);
    assert.equal(await statusOf('POST', leases, lease('other')), 201);
    assert.equal(await statusOf('DELETE', `${definitions}/leases.${group}`), 200);
    await until('the definition to go', async () => {
      return (await statusOf('GET', `${definitions}/leases.${group}`)) === 404;
    });
    assert.equal(await statusOf('GET', `${leases}/mine`), 200);
  });

  it('gives objects that are stored the defaults that it gets later', async () => {
    const group = 'later.example.com';
    const specs = { size: { type: 'integer' } };
    const schemaWith = (properties: JsonObject): JsonObject => ({
      openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
    });
    await define(server, widgetsIn(group, { versions: [versionOf('v1', { schema: schemaWith(specs) })] }));
    const widget = { kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
    assert.equal(await statusOf('POST', widgetsAt(group), widget), 201);
    const more = { ...specs, color: { type: 'string', default: 'red' } };
    const change = { spec: { versions: [versionOf('v1', { schema: schemaWith(more) })] } };
    assert.equal((await request(server, 'PATCH', `${definitions}/widgets.${group}`, change, mergePatch)).status, 200);
    await until('the default', async () => {
      return objectAt(await get(`${widgetsAt(group)}/a`), 'spec')['color'] === 'red';
    });
  });

  it('has the columns of its version in Tables', async () => {
    const group = 'columns.example.com';
    const additionalPrinterColumns: JsonObject[] = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How large.' },
      { name: 'Ready', type: 'string', jsonPath: '.spec.parts[?(@.name=="a")].count' },
      { name: 'Since', type: 'date', jsonPath: '.spec.since' },
      { name: 'Tags', type: 'string', jsonPath: '.spec.tags', priority: 1 },
      { name: 'None', type: 'string', jsonPath: '.spec.zork' },
    ];
    const versions = [versionOf('v1', { additionalPrinterColumns }), versionOf('v2', { storage: false })];
    await define(server, widgetsIn(group, { versions }));
    const spec = {
      size: 3,
      parts: [{ name: 'a', count: 7 }],
      since: '2001-01-01T00:00:00Z',
      tags: ['x'],
    };
    assert.equal(await statusOf('POST', widgetsAt(group), { kind: 'Widget', metadata: { name: 'a' }, spec }), 201);
    const tableAt = async (version: string): Promise<JsonObject> =>
      (await request(server, 'GET', widgetsAt(group, version), undefined, table)).body as JsonObject;
    const first = await tableAt('v1');
    const named = objectsAt(first, 'columnDefinitions').map(({ name, type, priority }) => [name, type, priority]);
    assert.deepEqual(named, [
      ['Name', 'string', 0],
      ['Size', 'integer', 0],
      ['Ready', 'string', 0],
      ['Since', 'date', 0],
      ['Tags', 'string', 1],
      ['None', 'string', 0],
    ]);
    const [row = {}] = objectsAt(first, 'rows');
    const [name, size, ready, since, tags, none] = row['cells'] as unknown[];
    assert.deepEqual({ name, size, ready, tags, none }, { name: 'a', size: 3, ready: '7', tags: '["x"]', none: null });
    assert.match(String(since), /^2\dy/);
    assert.deepEqual(
      objectsAt(await tableAt('v2'), 'columnDefinitions').map((column) => column['name']),
      ['Name', 'Age'],
    );
  });
});
