import assert from 'node:assert/strict';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/meta/json-value.ts';
import { ageSince } from '../../../../src/meta/human-duration.ts';
import { metaText } from '../../../../src/meta/object-meta.ts';
import { builtInCatalogue } from '../../../../src/catalogue/definitions.ts';
import { componentStatuses } from '../../../../src/resources/core/componentstatuses/definition.ts';
import { nodes } from '../../../../src/resources/core/nodes/definition.ts';
import { type Fixture, identifiers, type Sent, startFixture } from '../../api/fixture.ts';
import { access } from './access.ts';
import { autoscalers } from './autoscalers.ts';
import { core } from './core.ts';
import { devices } from './devices.ts';
import { events } from './events.ts';
import { networking } from './networking.ts';
import { pods } from './pods.ts';
import { policies } from './policies.ts';
import type { StoryCell, StoryRow, TableStory } from './table-story.ts';
import { volumes } from './volumes.ts';
import { workloads } from './workloads.ts';

const stories: readonly TableStory[] = [
  ...pods,
  ...core,
  ...volumes,
  ...workloads,
  ...autoscalers,
  ...networking,
  ...events,
  ...policies,
  ...access,
  ...devices,
];

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const mergePatch = 'application/merge-patch+json';

describe('Tables of', () => {
  let server: Fixture;

  before(async () => {
    server = await startFixture();
  });
  after(() => server[Symbol.asyncDispose]());

  for (const story of stories) {
    it(story.collection, async () => {
      for (const row of story.rows) await make(server, story.collection, row);
      for (const collection of collectionsOf(story.collection)) {
        const table = (await server.send({ path: collection, headers: { accept } })).json();
        assert.deepEqual(objectsIn(table['columnDefinitions']).map(columnText), story.columns, collection);
        const rows = objectsIn(table['rows']);
        for (const expected of story.rows) checkRow(collection, rows, expected);
      }
    });
  }

  it('every stored kind are in these stories', () => {
    const shown = new Set(stories.map(({ collection }) => collection.split('/').at(-1)));
    const stored = builtInCatalogue(identifiers).current.resources.filter(({ storage }) => storage);
    const missing = stored.map(({ resource }) => resource).filter((name) => !shown.has(name));
    assert.deepEqual(missing, []);
  });

  it('flow schemas are in the order in which they are tried', async () => {
    const collection = '/apis/flowcontrol.apiserver.k8s.io/v1beta1/flowschemas';
    const table = (await server.send({ path: collection, headers: { accept } })).json();
    const names = objectsIn(table['rows']).map(({ cells }) => (Array.isArray(cells) ? cells[0] : undefined));
    assert.deepEqual(names, ['fs0', 'fs1', 'fs2']);
  });
});

describe('The columns of', () => {
  const context = {
    nowMs: Date.now(),
    identifiers: identifiersOf('cluster'),
    work: { visits: 1, characters: 1 },
  };

  it('nodes read the labels of the identifiers of the server', () => {
    const labels = { 'node-role.cluster.io/b': '', 'cluster.io/role': 'a', 'node-role.kubernetes.io/c': '' };
    const roles = nodes(context.identifiers).table?.columns.find(({ name }) => name === 'Roles');
    assert.equal(roles?.cell({ metadata: { labels } }, context), 'a,b');
  });

  const conditions: [JsonObject[], string[]][] = [
    [[{ type: 'Healthy', status: 'True', message: 'ok' }], ['etcd-0', 'Healthy', 'ok', '']],
    [[{ type: 'Healthy', status: 'False', error: 'e' }], ['etcd-0', 'Unhealthy', '', 'e']],
    [[{ type: 'Healthy', status: 'Unknown' }], ['etcd-0', 'Unknown', '', '']],
    [[], ['etcd-0', 'Unknown', '', '']],
  ];
  for (const [given, cells] of conditions) {
    it(`component statuses with the conditions ${JSON.stringify(given)} are ${cells[1] ?? ''}`, () => {
      const object = { metadata: { name: 'etcd-0' }, conditions: given };
      assert.deepEqual(
        componentStatuses(context.identifiers).table?.columns.map((column) => column.cell(object, context)),
        cells,
      );
    });
  }
});

/** Creates an object and writes its sub-resources. */
async function make(server: Fixture, collection: string, row: StoryRow): Promise<void> {
  const { name, object = {}, approval, status, deleted } = row;
  const metadata = { ...(isJsonObject(object['metadata']) ? object['metadata'] : {}), name };
  await succeed(server, { method: 'POST', path: collection, body: { ...object, metadata } });
  const path = `${collection}/${name}`;
  const write = (subresource: string, value: JsonObject) =>
    succeed(server, { method: 'PATCH', path: `${path}/${subresource}`, type: mergePatch, body: { status: value } });
  if (approval) await write('approval', approval);
  if (status) await write('status', status);
  if (deleted) await succeed(server, { method: 'DELETE', path });
}

async function succeed(server: Fixture, request: Sent): Promise<void> {
  const response = await server.send(request);
  assert.ok(response.status < 300, `${request.path}: ${response.text}`);
}

/** The collection in each version that serves it, in its group and in others. */
function collectionsOf(collection: string): readonly string[] {
  const [, prefix = '', group = '', resource = ''] =
    /^(\/apis?)(?:\/([^/]+(?=\/v\d)))?\/[^/]+\/(.*)$/.exec(collection) ?? [];
  const short = resource.split('/').at(-1) ?? '';
  const definition = builtInCatalogue(identifiers).current.resource(prefix === '/api' ? '' : group, short);
  assert.ok(definition, collection);
  const same = builtInCatalogue(identifiers).current.resources.filter(
    ({ storage }) => storage?.group === definition.storage?.group && storage?.resource === definition.storage?.resource,
  );
  return same.flatMap(({ group: name, versions }) =>
    versions.map(({ version }) => `${name === '' ? '/api' : `/apis/${name}`}/${version}/${resource}`),
  );
}

function checkRow(collection: string, rows: readonly JsonObject[], expected: StoryRow): void {
  const row = rows.find(({ object }) => isJsonObject(object) && metaText(object, 'name') === expected.name);
  assert.ok(row && isJsonObject(row['object']), `${collection} has no row of ${expected.name}`);
  const creation = metaText(row['object'], 'creationTimestamp');
  const texts = expected.cells.map((cell) => expectedCell(cell, creation));
  const cells = Array.isArray(row['cells']) ? row['cells'].map(withoutUid) : [];
  assert.equal(cells.length, texts.length);
  for (const [index, cell] of cells.entries()) {
    const allowed = texts[index] ?? [];
    assert.ok(
      allowed.includes(cell),
      `${collection} ${expected.name}: ${JSON.stringify(cell)} is not ${JSON.stringify(allowed)}`,
    );
  }
  assert.deepEqual(row['conditions'], expected.conditions);
}

/** The values that a cell may have: an age can be that of a second ago. */
function expectedCell(cell: StoryCell, creation: string): readonly JsonValue[] {
  if (typeof cell !== 'object') return [cell];
  const { since } = cell;
  if (since === '') return [creation];
  const from = since === 'creation' ? creation : since;
  return [0, 1, 2].map((seconds) => ageSince(from, Date.now() - seconds * 1000));
}

/** Generated selectors of jobs have a random uid. */
function withoutUid(cell: JsonValue): JsonValue {
  return typeof cell === 'string' ? cell.replace(/controller-uid=[0-9a-f-]+/, 'controller-uid=UID') : cell;
}

function columnText({ name, type, format, priority }: JsonObject): string {
  const texts = [name, type, format, priority === 1 ? 'wide' : ''].map(String);
  return texts.filter((text) => text !== '').join(', ');
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
