import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { applyObject } from '../../../src/cli/commands/write/apply/apply-object.ts';
import { createClient } from '../../../src/client/client.ts';
import { discoverVersion } from '../../../src/client/discovery.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { request } from '../http-client.ts';
import { type ClRunner, createClRunner } from './cl-runner.ts';

const count = 12;
const path = '/api/v1/namespaces/default/configmaps';

const configMap = (name: string, value = '1') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: "${value}"}\n`;
const numbers = Array.from({ length: count }, (_, at) => at);

describe('cl apply of many objects of a type', () => {
  let server: TestServer;
  let cl: ClRunner;
  before(async () => {
    server = await startServer({ authorizationMode: ['RBAC'] });
    cl = await createClRunner(server);
  });
  after(async () => {
    await server.stop();
    await cl.remove();
  });

  /** Applies objects, and tells what was done with each and which were read or listed. */
  async function apply(texts: readonly string[], ...flags: readonly string[]) {
    const { code, out, err } = await cl.pipe(texts.join('---\n'), 'apply -f - -v=6', ...flags);
    const gets = [...err.matchAll(/GET \S+\/configmaps(\/[a-z0-9-]+)?(\?\S*)?/g)];
    const done = out.trimEnd().split('\n');
    return {
      code,
      err,
      done: done.map((line) => line.slice(line.indexOf(' ') + 1)),
      reads: gets.filter(([, name]) => name !== undefined).length,
      lists: gets.filter(([, name]) => name === undefined).length,
    };
  }

  it('reads what is there by one list', async () => {
    const texts = (value: string) => numbers.map((at) => configMap(`many-${at}`, value));
    const created = await apply(texts('1'));
    assert.deepEqual([created.reads, created.lists], [0, 1]);
    assert.deepEqual(new Set(created.done), new Set(['created']));
    const mixed = await apply([configMap('many-new'), configMap('many-0', '2'), ...texts('1').slice(1)]);
    assert.deepEqual([mixed.reads, mixed.lists], [0, 1]);
    assert.deepEqual(mixed.done, ['created', 'configured', ...numbers.slice(1).map(() => 'unchanged')]);
    assert.deepEqual((await apply(texts('1').slice(0, 3))).lists, 0);
  });

  it('asks for an object that the files have twice', async () => {
    const twice = [configMap('twice'), configMap('twice', '2'), configMap('twice', '2')];
    const { done, reads } = await apply([...numbers.map((at) => configMap(`once-${at}`)), ...twice]);
    assert.deepEqual(done.slice(count), ['created', 'configured', 'unchanged']);
    assert.equal(reads, twice.length);
  });

  it('asks for each object of a user who may not list, and among many others', async () => {
    await cl.run('create role writer --verb=get,create,patch --resource=configmaps');
    await cl.run('create rolebinding ann --role=writer --user=ann');
    const denied = await apply(
      numbers.map((at) => configMap(`own-${at}`)),
      '--as=ann',
    );
    assert.deepEqual(
      denied.done,
      numbers.map(() => 'created'),
    );
    assert.equal(denied.reads, count);
    assert.doesNotMatch(denied.err, /forbidden|error:/i);
    const others = Array.from({ length: 5 * count + 200 }, (_, at) => configMap(`among-${at}`));
    assert.equal((await cl.pipe(others.join('---\n'), 'create -f -')).code, 0);
    const among = await apply(numbers.map((at) => configMap(`zz-${at}`)));
    assert.deepEqual([among.done, among.reads], [numbers.map(() => 'created'), count]);
    assert.equal((await cl.run('delete configmaps --all')).code, 0);
  });

  it('takes fields of clients over and shows conflicts, as of a single object', async () => {
    const create = (name: string, manager: string) =>
      request(server, 'POST', `${path}?fieldManager=${manager}`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name },
        data: { a: '0', b: '2' },
      });
    await create('taken', 'kubectl-client-side-apply');
    await create('theirs', 'other');
    const texts = [configMap('taken'), configMap('theirs'), ...numbers.map((at) => configMap(`plain-${at}`))];
    const { code, done, err, reads } = await apply(texts);
    assert.deepEqual(done, ['configured', ...numbers.map(() => 'created')]);
    assert.deepEqual([code, reads], [1, 1]);
    assert.match(err, /^FIELD +MANAGER +YOURS +THEIRS\n\.data\.a +other +1 +0$/m);
    const taken = await request(server, 'GET', `${path}/taken`);
    assert.deepEqual((taken.body as { readonly data: unknown }).data, { a: '1' });
  });

  it('tells the truth about objects that were changed, made or deleted after the list', async () => {
    const client = createClient(server.connection);
    const { signal } = new AbortController();
    const resources = await discoverVersion(client, '', 'v1', signal);
    const resource = resources?.find(({ kind }) => kind === 'ConfigMap');
    assert.ok(resource);
    const metadata = async () =>
      (await client.metadata(resource).get('late', { namespace: 'default' })) as object as JsonObject;
    const outcomeWith = async (known: JsonObject | 'absent', value = '1'): Promise<string> => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' }, data: { a: value } };
      const settings = {
        client,
        signal,
        fieldManager: 'cl',
        force: false,
        dryRun: 'none',
        validate: 'strict',
      } as const;
      const place = { subresource: undefined, namespace: 'default' };
      return (
        await applyObject({ ...settings, ...place }, resource, { object, where: 'a file', file: 'a file' }, known)
      ).outcome;
    };
    assert.equal(await outcomeWith('absent'), 'created');
    const old = await metadata();
    await cl.run('label configmap late x=y');
    assert.equal(await outcomeWith(old), 'unchanged');
    assert.equal(await outcomeWith(old, '2'), 'configured');
    assert.equal(await outcomeWith('absent', '2'), 'configured');
    await cl.run('delete configmap late');
    assert.equal(await outcomeWith(old, '2'), 'created');
    await client.close();
  });

  it('tells of dry runs what they would do', async () => {
    const texts = [configMap('plain-0', '3'), ...numbers.slice(1).map((at) => configMap(`plain-${at}`))];
    for (const [mode, note] of [
      ['server', 'server dry run'],
      ['client', 'dry run'],
    ]) {
      const { done } = await apply([...texts, configMap('dry')], `--dry-run=${mode}`);
      const unchanged = numbers.slice(1).map(() => `unchanged (${note})`);
      assert.deepEqual(done, [`configured (${note})`, ...unchanged, `created (${note})`]);
    }
  });
});
