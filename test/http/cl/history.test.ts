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
      [['created', 'cl'], ['changed', 'cl', 'data.a, data.b'], ['deleted']],
    );
    const revisions = states.map(([revision]) => Number(revision));
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    );
  });

  it('names the manager whose entry changed, also among writes of one second', async () => {
    await request(server, 'POST', '/api/v1/namespaces/default/configmaps?fieldManager=maker', {
      metadata: { name: 'shared' },
      data: { a: '1' },
    });
    const patch = (manager: string, data: object) =>
      request(
        server,
        'PATCH',
        `/api/v1/namespaces/default/configmaps/shared?fieldManager=${manager}`,
        { data },
        {
          'content-type': 'application/merge-patch+json',
        },
      );
    for (const [manager, a] of [
      ['one', '2'],
      ['two', '3'],
      ['one', '4'],
      ['one', '5'],
      ['two', '6'],
    ] as const) {
      await patch(manager, { a });
    }
    const states = await rows('history configmap shared');
    assert.deepEqual(
      states.map(([, , manager]) => manager),
      ['maker', 'one', 'two', 'one', 'one', 'two'],
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

  it('compares what was at two revisions', async () => {
    const make = (name: string, kind: 'configmaps' | 'secrets', data: object) =>
      request(server, 'POST', `/api/v1/namespaces/default/${kind}`, { metadata: { name }, data });
    await make('kept', 'configmaps', { a: '1' });
    await make('hidden', 'secrets', { password: 'aHVudGVy' });
    const { out: start } = await cl.run('get configmap kept -o jsonpath={.metadata.resourceVersion}');
    assert.equal((await cl.run(`diff configmaps --revisions=${Number(start)}..`)).code, 0);
    await cl.run('patch configmap kept --type=merge', '-p', '{"data":{"a":"2"}}');
    await cl.run('patch secret hidden --type=merge', '-p', '{"data":{"password":"b3RoZXI="}}');
    await make('added', 'configmaps', {});
    const from = Number(start) + 1;
    const { code, out } = await cl.run(`diff configmaps --revisions=${from}..`);
    assert.equal(code, 1);
    assert.match(out, /^-  a: "1"\n\+  a: "2"$/m);
    assert.match(out, new RegExp(`^--- revision-${from}/v1\\.ConfigMap\\.default\\.kept$`, 'm'));
    assert.match(out, /^\+ {2}name: added$/m);
    assert.doesNotMatch(out, /resourceVersion/);
    const named = await cl.run(`diff configmap/kept --revisions=${from}..${from + 1}`);
    assert.equal(named.code, 1);
    assert.doesNotMatch(named.out, /added/);
    const secret = await cl.run(`diff secrets --revisions=${from}..`);
    assert.match(secret.out, /^-  password: '\*\*\* \(before\)'$/m);
    assert.doesNotMatch(secret.out, /aHVudGVy|b3RoZXI/);
  });

  it('says what is wrong with revisions to compare', async () => {
    const errors = [
      ['diff configmaps --revisions=5', /^error: --revisions: "5" is not of the form A\.\.B \(for example: /],
      ['diff configmaps --revisions=1..999999', /^error: the store is at revision \d+, before 999999\n$/],
      ['diff configmap never --revisions=1..', /^error: configmaps "never" existed at neither revision \(/],
      ['diff --revisions=1.. -f x.yaml', /^error: --revisions is about objects of the server/],
      ['diff configmaps', /^error: words are the objects of --revisions/],
    ] as const;
    for (const [line, message] of errors) {
      const { code, err } = await cl.run(line);
      assert.equal(code, 2, line);
      assert.match(err, message);
    }
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
