import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { type ClRunner, createClRunner } from './cl-runner.ts';

describe('cl history', () => {
  let server: TestServer;
  let cl: ClRunner;
  before(async () => {
    server = await startServer();
    cl = await createClRunner(server);
  });
  after(async () => {
    await server.stop();
    await cl.remove();
  });

  const apply = (data: string) =>
    cl.pipe(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: ${data}\n`, 'apply -f -');
  /** The rows of the table, their cells without the spaces between. */
  const rows = async (line: string): Promise<string[][]> => {
    const { code, out, err } = await cl.run(line);
    assert.equal(code, 0, err);
    return out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => row.trimEnd().split(/ {2,}/));
  };

  it('shows who created, changed and deleted an object, and which fields', async () => {
    await apply('{a: "1"}');
    await apply('{a: "2", b: "3"}');
    await request(server, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'other' } });
    await cl.run('delete configmap settings');
    const states = await rows('history configmap settings');
    assert.deepEqual(
      states.map(([, ...cells]) => cells),
      [
        ['created', 'cl'],
        ['changed', 'cl', 'data.a, data.b'],
        ['deleted', 'cl'],
      ],
    );
    const revisions = states.map(([revision]) => Number(revision));
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    );
  });

  it('prints the object as it was', async () => {
    const [[first = ''] = []] = await rows('history configmap/settings');
    const { out } = await cl.run(`history configmap settings --revision=${first} -o json`);
    const { data, metadata } = JSON.parse(out) as { data: unknown; metadata: { resourceVersion: string } };
    assert.deepEqual([data, metadata.resourceVersion], [{ a: '1' }, first]);
    const got = await cl.run(`get configmap settings --at-revision=${first} -o jsonpath={.data}`);
    assert.equal(got.out, '{"a":"1"}', got.err);
    assert.match((await cl.run(`get configmaps --at-revision=${first}`)).out, /^settings +1 +/m);
    assert.match((await cl.run(`get configmap settings --at-revision=${first}`)).out, /^settings +1 +/m);
    const gone = await cl.run('get configmap settings');
    assert.match(gone.err, /^Error from server \(NotFound\): configmaps "settings" not found$/m);
    const before = await cl.run(`history configmap settings --revision=${Number(first) - 1}`);
    assert.match(before.err, /^error: configmaps "settings" did not exist at revision \d+\n$/);
  });

  it('says what is wrong for objects that never were and for revisions to come', async () => {
    const never = await cl.run('history configmap never');
    assert.deepEqual([never.code, never.err], [1, 'error: the store has no configmaps "never" and no past of one\n']);
    assert.equal((await cl.run('history configmap')).code, 1);
    assert.match(
      (await cl.run('get configmaps --at-revision=999999')).err,
      /^error: the store is at revision \d+, before/,
    );
    const { code, err } = await cl.run('history configmap settings --revision=999999');
    assert.equal(code, 1);
    assert.match(err, /^error: the store is at revision \d+, before 999999\n$/);
  });
});
