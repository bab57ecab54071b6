import assert from 'node:assert/strict';
import { chmod, open, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient, discover, type GenericObject } from '../../../src/client/index.ts';
import type { RecordingEntry } from '../../../src/recording/recording-entry.ts';
import { replayChanges } from '../../../src/recording/replay-changes.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';
import { type ClServer, createClRunner, startCl, startClServer } from './cl-runner.ts';

const manifest = [
  {
    apiVersion: 'apiextensions.cl.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'ponds.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'ponds', kind: 'Pond', listKind: 'PondList', singular: 'pond' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { depth: { type: 'integer' } } } },
        },
      ],
    },
  },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace: 'shop' }, stringData: { word: 'sesame' } },
];
const pond = { apiVersion: 'example.com/v1', kind: 'Pond', metadata: { name: 'deep', namespace: 'shop' }, depth: 3 };

/** The fields that every server sets itself, and what refers to them. */
function comparable({ metadata = {}, ...rest }: GenericObject): string {
  const { name, namespace, labels, annotations, ownerReferences = [] } = metadata;
  const owners = ownerReferences.map(({ kind, name: owner }) => `${kind} ${owner}`);
  return JSON.stringify([name, namespace, labels, annotations, owners, rest]);
}

async function stateOf({ connection }: TestServer): Promise<Map<string, GenericObject>> {
  const client = createClient(connection);
  const state = new Map<string, GenericObject>();
  for (const resource of await discover(client)) {
    if (!resource.namespaced || !resource.verbs.includes('watch') || resource.resource === 'events') continue;
    for (const object of (await client.resource(resource).list({ namespace: 'shop' })).items) {
      state.set(`${resource.resource}.${resource.group} ${object.metadata?.name}`, object);
    }
  }
  await client.close();
  return state;
}

describe('cl record and cl replay', () => {
  let source: ClServer;
  let file: string;
  const cl = (command: string) => startCl(command.split(' '), { directory: source.directory });

  before(async () => {
    source = await startClServer({ controllers: true, nodes: 1 });
    file = path.join(source.directory, 'all.jsonl');
    const created = await source.pipe(manifest.map((each) => JSON.stringify(each)).join('\n---\n'), 'create -f -');
    assert.equal(created.code, 0, created.err);
    const rolledOut = await source.run('rollout status deployment web --namespace=shop');
    assert.equal(rolledOut.code, 0, rolledOut.err);
  });
  after(() => source[Symbol.asyncDispose]());

  it('copy a plane: objects, owners, status and changes', async () => {
    const recording = cl('record all.jsonl --follow');
    await recording.until(/all objects are recorded/);
    assert.equal((await source.pipe(JSON.stringify(pond), 'create -f -')).code, 0);
    assert.equal((await source.run('create configmap gone --namespace=shop')).code, 0);
    assert.equal((await source.run('delete configmap gone --namespace=shop')).code, 0);
    assert.doesNotMatch(recording.err(), /deprecated/);
    const hasEnd = async () => /"DELETED".*"gone"/.test(await readFile(file, 'utf8'));
    await until('the last change', hasEnd);
    assert.equal(await recording.interrupt(), 0, recording.err());
    assert.doesNotMatch(await readFile(file, 'utf8'), /sesame|c2VzYW1l|managedFields/);

    await using copy = await startServer({ from: file });
    assert.deepEqual(copy.replayProblems, []);
    const [wanted, found] = await Promise.all([stateOf(source.server), stateOf(copy)]);
    for (const state of [wanted, found]) {
      for (const key of state.keys()) if (key.startsWith('secrets.')) state.delete(key);
    }
    assert.deepEqual([...found.keys()].toSorted(), [...wanted.keys()].toSorted());
    const kinds = [
      'pods. ',
      'deployments.apps ',
      'replicasets.apps ',
      'ponds.example.com ',
      'configmaps. ',
      'serviceaccounts. ',
    ];
    for (const [key, object] of found) {
      const known = kinds.some((kind) => key.startsWith(kind));
      if (known) assert.equal(comparable(object), comparable(wanted.get(key) ?? {}), key);
    }
    const set = [...found.values()].find(({ kind }) => kind === 'ReplicaSet');
    const pods = [...found.values()].filter(({ kind }) => kind === 'Pod');
    assert.equal(pods.length, 2);
    for (const { metadata } of pods) assert.equal(metadata?.ownerReferences?.[0]?.uid, set?.metadata?.uid);
  });

  it('wait for the file without a listener for each object', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): number => warnings.push(message);
    process.on('warning', note);
    const data = { text: 'x'.repeat(100_000) };
    const maps = Array.from({ length: 12 }, (_, number) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `large-${number}`, namespace: 'shop' },
      data,
    }));
    assert.equal((await source.pipe(maps.map((each) => JSON.stringify(each)).join('\n---\n'), 'create -f -')).code, 0);
    const { code, err } = await source.run('record large.jsonl --types=configmaps');
    process.off('warning', note);
    assert.equal(code, 0, err);
    assert.deepEqual(warnings, []);
  });

  it('write again only what differs, at a pace of one’s own', async () => {
    await using target = await startServer();
    const runner = await createClRunner(target);
    const first = await runner.run(`replay ${file} --speed=1000`);
    assert.equal(first.code, 0, first.err);
    const again = await runner.run(`replay ${file}`);
    assert.equal(again.code, 0, again.err);
    const [, written, unchanged] = /wrote (\d+) .*; (\d+) were there/.exec(again.out) ?? [];
    assert.ok(Number(written) < Number(unchanged) / 2, again.out);
    await runner.remove();
  });

  it('record a selection, with Secrets as they are asked for', async () => {
    const entries = async (flags: string): Promise<string> => {
      const { code, err } = await source.run(`record part.jsonl --namespaces=shop ${flags}`);
      assert.equal(code, 0, err);
      return readFile(path.join(source.directory, 'part.jsonl'), 'utf8');
    };
    assert.match(await entries('--types=secrets --secrets=hide'), /"word":"aGlkZGVu"/);
    assert.match(await entries('--types=secrets --secrets=include'), /"word":"c2VzYW1l"/);
    const lines = (await entries('--types=po,deployments.apps --managed-fields')).trim().split('\n');
    assert.equal(lines.length, 4);
    assert.match(lines[1] ?? '', /managedFields/);
    assert.match(await entries(''), /"kind":"Namespace".*"name":"shop"/);
    const unknown = await source.run('record part.jsonl --types=lakes');
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /no type "lakes"/);
  });

  /** The entries of a recording, in which the uids are made of the names. */
  function entryOf(type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string, word = '', more: object = {}): RecordingEntry {
    const resource = { group: '', version: 'v1', resource: 'configmaps', namespaced: true, ...more };
    const metadata = { name, namespace: 'default', uid: `uid of ${name}` };
    return { type, atMs: 0, resource, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { word } } };
  }

  it('delete what the replay has written, and nothing else of that name', async () => {
    const client = createClient(source.server.connection);
    const maps = client.resource(entryOf('ADDED', '').resource);
    await maps.create({ metadata: { name: 'theirs' } }, { namespace: 'default' });
    async function* entries() {
      yield entryOf('ADDED', 'ours');
      yield entryOf('DELETED', 'theirs');
      yield entryOf('DELETED', 'ours');
      yield entryOf('ADDED', 'replaced');
      await maps.delete('replaced', { namespace: 'default' });
      await maps.create({ metadata: { name: 'replaced' } }, { namespace: 'default' });
      yield entryOf('DELETED', 'replaced');
    }
    const summary = await replayChanges(client, entries(), {}, new AbortController().signal);
    assert.deepEqual(summary, { written: 3, unchanged: 2, refused: 0 });
    const { items } = await maps.list({ namespace: 'default' });
    const names = items.map(({ metadata }) => metadata?.name ?? '').filter((name) => !name.includes('root-ca'));
    assert.deepEqual(
      names.toSorted((a, b) => (a < b ? -1 : 1)),
      ['replaced', 'theirs'],
    );
    for (const name of names) await maps.delete(name, { namespace: 'default' });
    await client.close();
  });

  it('end in the recorded state after an interruption and changes of others', async () => {
    const client = createClient(source.server.connection);
    const maps = client.resource(entryOf('ADDED', '').resource);
    const all = [
      entryOf('ADDED', 'kept', 'one'),
      entryOf('ADDED', 'gone', 'one'),
      entryOf('MODIFIED', 'kept', 'two'),
      entryOf('DELETED', 'gone'),
      entryOf('ADDED', 'later', 'one'),
    ];
    const stop = new AbortController();
    async function* entries(count = all.length) {
      for (const [index, entry] of all.entries()) {
        if (index === count) stop.abort();
        yield entry;
      }
    }
    await assert.rejects(replayChanges(client, entries(3), {}, stop.signal), { name: 'AbortError' });
    assert.deepEqual((await maps.get('gone', { namespace: 'default' }))['data'], { word: 'one' });
    await maps.patch('kept', { data: { word: 'theirs' } }, { type: 'merge', namespace: 'default' });
    await maps.delete('gone', { namespace: 'default' });
    await maps.create({ metadata: { name: 'gone' }, data: { word: 'theirs' } }, { namespace: 'default' });
    const problems: string[] = [];
    const onProblem = (problem: string): unknown => problems.push(problem);
    await replayChanges(client, entries(), { onProblem }, new AbortController().signal);
    assert.deepEqual(problems, []);
    const { items } = await maps.list({ namespace: 'default' });
    const found = items.filter(({ metadata }) => !metadata?.name?.includes('root-ca'));
    assert.deepEqual(
      found.map(({ metadata, ...rest }) => [metadata?.name, rest['data']]),
      [
        ['kept', { word: 'two' }],
        ['later', { word: 'one' }],
      ],
    );
    for (const { metadata } of found) await maps.delete(metadata?.name ?? '', { namespace: 'default' });
    await client.close();
  });

  it('say that a recording has the names of another set of identifiers', async () => {
    const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'roles' };
    await using copy = await startServer();
    const client = createClient(copy.connection);
    const problems: string[] = [];
    async function* entries() {
      yield entryOf('ADDED', 'reader', '', roles);
    }
    const onProblem = (problem: string): unknown => problems.push(problem);
    await replayChanges(client, entries(), { onProblem }, new AbortController().signal);
    assert.match(problems.join(), /^create roles default\/reader: .*; the recording has the identifiers "kubernetes"/);
    await client.close();
  });

  it('list what is damaged or refused, write the rest, and fail', async () => {
    const resource = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };
    const entry = (name: string, more: object = {}): string =>
      JSON.stringify({
        type: 'ADDED',
        atMs: 0,
        resource,
        object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', uid: name } },
        ...more,
      });
    const lakes = { resource: { ...resource, group: 'example.org', resource: 'lakes' } };
    const outside = { resource: { ...resource, resource: '../secrets' } };
    const head = (await readFile(file, 'utf8')).split('\n')[0] ?? '';
    const lines = [
      head,
      entry('good'),
      'no JSON',
      entry('l', lakes),
      entry('Bad_Name'),
      entry('x', outside),
      entry('owned').replace('"uid"', '"ownerReferences":3,"uid"'),
      'x'.repeat(33 * 1024 * 1024),
      entry('after'),
      entry('cut').slice(0, 60),
    ];
    await source.write('damaged.jsonl', lines.join('\n'));
    const { code, out, err } = await source.run('replay damaged.jsonl');
    assert.equal(code, 1);
    assert.match(out, /^wrote 2 objects/);
    for (const expected of [
      /line 3 is damaged/,
      /create lakes default\/l: /,
      /create configmaps default\/Bad_Name: /,
      /line 6 is damaged/,
      /line 7 is damaged/,
      /line 8 is too long/,
      /line 10 is damaged/,
      /7 entries of damaged\.jsonl were not written/,
    ]) {
      assert.match(err, expected);
    }
    assert.equal((await source.run('get configmap good --namespace=default')).code, 0);
    await writeFile(path.join(source.directory, 'other.jsonl'), '{"format":"else"}\n');
    // A file of another kind has no lines, and may be larger than the memory.
    const image = await open(path.join(source.directory, 'image.jsonl'), 'w');
    await image.truncate(300 * 1024 * 1024);
    await image.close();
    await symlink('/dev/zero', path.join(source.directory, 'endless.jsonl'));
    for (const [name, message] of [
      ['endless', /is no recording/],
      ['other', /is no recording/],
      ['image', /is no recording/],
      ['absent', /ENOENT|no such file/],
    ] as const) {
      const failed = await source.run(`replay ${name}.jsonl`);
      assert.equal(failed.code, 1);
      assert.match(failed.err, message);
    }
    // The owner alone reads a recording, also in the place of a file that others could read.
    const place = path.join(source.directory, 'damaged.jsonl');
    await chmod(place, 0o644);
    assert.equal((await source.run('record damaged.jsonl --types=namespaces')).code, 0);
    assert.equal((await stat(place)).mode & 0o777, 0o600);
    const unanswered = await source.run('replay damaged.jsonl --server=https://127.0.0.1:1');
    assert.equal(unanswered.code, 1);
    assert.doesNotMatch(unanswered.err, /create /);
  });
});
