import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { connectEtcd } from '../../src/etcd/etcd-client.ts';
import { firstObjects } from '../../src/cli/up/first-objects.ts';
import { recordingHead } from '../../src/recording/recording-file.ts';
import { startServer, type TestServerOptions } from '../../src/testing/index.ts';
import { freePort } from '../free-ports.ts';
import { request } from '../http/http-client.ts';
import { type ClRunner, createClRunner } from '../http/cl/cl-runner.ts';
import { startTestEtcd, type TestEtcd } from './local-store.ts';
import { UpProcess } from './up-process.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('cl snapshot', () => {
  let full: TestEtcd;
  let empty: TestEtcd;
  let cl: ClRunner;
  let uid: string;

  before(async () => {
    [full, empty] = await Promise.all([startTestEtcd(), startTestEtcd()]);
    await using server = await startServer({ store: { kind: 'etcd', servers: [full.endpoint] } });
    cl = await createClRunner(server);
    const text = 'ü'.repeat(400_000);
    const { status, text: body } = await request(server, 'POST', configMaps, {
      metadata: { name: 'kept' },
      data: { text },
    });
    assert.equal(status, 201);
    uid = (JSON.parse(body) as { metadata: { uid: string } }).metadata.uid;
    const saved = await cl.run(`snapshot save first.snapshot --etcd-servers=${full.endpoint}`);
    assert.match(saved.out, /^saved \d+ keys at revision \d+ in first\.snapshot\n$/, saved.err);
    await request(server, 'DELETE', `${configMaps}/kept`);
  });
  after(async () => {
    await Promise.all([full[Symbol.asyncDispose](), empty[Symbol.asyncDispose]()]);
    await cl.remove();
  });

  const restore = (file: string, etcd: TestEtcd) => cl.run(`snapshot restore ${file} --etcd-servers=${etcd.endpoint}`);

  it('refuses files that are damaged, cut off or none, before anything is written', async () => {
    const bytes = await readFile(path.join(cl.directory, 'first.snapshot'));
    await writeFile(path.join(cl.directory, 'cut'), bytes.subarray(0, -9));
    await writeFile(path.join(cl.directory, 'none'), 'text');
    const changed = Buffer.from(bytes);
    changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(path.join(cl.directory, 'changed'), changed);
    for (const file of ['cut', 'none', 'changed', 'missing']) {
      const { code, out, err } = await restore(file, empty);
      assert.deepEqual([code, out], [1, ''], file);
      assert.match(err, new RegExp(`^error: .*${file} cannot be used: .+\\n$`));
    }
  });

  it('restores the objects as they were into an empty store, and into no other', async () => {
    await copyFile(path.join(cl.directory, 'first.snapshot'), path.join(cl.directory, 'copy'));
    const refused = await restore('copy', full);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /^error: the store has \d+ keys; a snapshot is only restored into an empty one/);

    const { code, out, err } = await restore('copy', empty);
    assert.equal(code, 0, err);
    const [, saved, raised] = /, revision (\d+), as revision (\d+)\n$/.exec(out) ?? [];
    assert.ok(Number(raised) >= Number(saved) + 1_000, out);
    await using etcd = {
      client: await connectEtcd({ endpoints: [empty.endpoint] }),
      [Symbol.asyncDispose]: async () => etcd.client.close(),
    };
    await assert.rejects(etcd.client.range('', { limit: 1, revision: Number(raised) - 1 }), /compacted/);
    const { values } = await etcd.client.range('cl-snapshot', { limit: 1 });
    assert.deepEqual(values, []);
    await using server = await startServer({ store: { kind: 'etcd', servers: [empty.endpoint] } });
    const late = await request(server, 'GET', `${configMaps}?watch=true&resourceVersion=${saved}`);
    assert.equal(late.status, 410, 'a version from before the restore');
    const { text } = await request(server, 'GET', `${configMaps}/kept`);
    const { metadata, data } = JSON.parse(text) as { metadata: { uid: string }; data: { text: string } };
    assert.deepEqual([metadata.uid, data.text.length], [uid, 400_000]);
  });

  it('is the state with which a test server begins, in memory or in an empty etcd', async () => {
    const from = path.join(cl.directory, 'first.snapshot');
    await using server = await startServer({ from });
    const kept = await request(server, 'GET', `${configMaps}/kept`);
    assert.equal((JSON.parse(kept.text) as { metadata: { uid: string } }).metadata.uid, uid);
    const created = await request(server, 'POST', configMaps, { metadata: { name: 'later' } });
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(server.replayProblems, []);
    const refused: readonly (readonly [TestServerOptions, RegExp])[] = [
      [
        { identifiers: 'kubernetes' },
        /was written with --identifiers=cluster, this server .* --identifiers=kubernetes/,
      ],
      [{ prefix: '/other' }, /has keys of \/registry and none of \/other: it is of a server with another prefix/],
      [{ store: { kind: 'etcd', servers: [full.endpoint] } }, /^RecordingError: the store has \d+ keys/],
      [{ from: path.join(cl.directory, 'cut') }, /^RecordingError: .*cut cannot be used: /],
      [{ from: path.join(cl.directory, 'none') }, /^RecordingError: .*none is no recording/],
      [{ from: path.join(cl.directory, 'missing') }, /ENOENT/],
    ];
    for (const [options, message] of refused) {
      await assert.rejects(startServer({ from, ...options }), message, JSON.stringify(options));
    }
  });

  it('is the state with which "cl up" begins, for a store without data', async () => {
    const args = ['--from=first.snapshot', `--secure-port=${await freePort()}`];
    const plane = await new UpProcess(cl.directory, args).ready();
    try {
      assert.match(plane.out, /objects +those of first\.snapshot/);
      const { out } = await cl.run(
        'get configmap kept -o=jsonpath={.metadata.uid} --clientconfig=.cl/admin.clientconfig',
      );
      assert.equal(out, uid);
    } finally {
      await plane.end('SIGTERM');
    }
    const again = new UpProcess(cl.directory, args);
    const [code] = (await once(again.child, 'exit')) as [number];
    assert.equal(code, 1);
    assert.match(again.err, /the store has \d+ keys; .*\(leave out --from to go on with the data/);
    const inMemory = new UpProcess(cl.directory, [...args, '--store=memory', '--data-dir=memory']);
    await once(inMemory.child, 'exit');
    assert.match(inMemory.err, /first\.snapshot is a snapshot, which needs a store in etcd \(leave out --store=memory/);
  });

  it('is not replaced by a recording at a later start, which would put changed objects back', async () => {
    const { stdout, stderr, env } = process;
    const { signal } = new AbortController();
    const io = { stdin: Readable.from([]), stdout, stderr, env, directory: cl.directory, signal };
    await writeFile(path.join(cl.directory, 'some.jsonl'), recordingHead());
    const first = await firstObjects('some.jsonl', 'etcd', io);
    await assert.rejects(first.fillStore(full.endpoint, '/registry', cl.directory), {
      message: /^the store has \d+ keys; a control plane only begins with a recording on an empty one$/,
      hint: /^leave out --from .* "cl replay some\.jsonl" .* another --name$/,
    });
    await writeFile(path.join(cl.directory, 'other.jsonl'), '{}\n');
    await assert.rejects(firstObjects('other.jsonl', 'etcd', io), /is no recording/);
  });

  it('writes files that only their owner reads', async () => {
    const { mode } = await stat(path.join(cl.directory, 'first.snapshot'));
    assert.equal(mode & 0o777, 0o600);
  });

  it('saves nothing of a folder without a control plane, and makes none there', async () => {
    const { code, err } = await cl.run('snapshot save third.snapshot --data-dir=nowhere');
    assert.equal(code, 1);
    assert.match(
      err,
      /^error: .*nowhere has no control plane \(choose one of "cl up list" with --name or --data-dir.*\)\n$/,
    );
    await assert.rejects(stat(path.join(cl.directory, 'nowhere')), /ENOENT/);
  });

  it('leaves nothing behind when etcd cannot be reached', async () => {
    const { code, err } = await cl.run('snapshot save second.snapshot --etcd-servers=http://127.0.0.1:1');
    assert.equal(code, 1);
    assert.match(err, /^error: /);
    await assert.rejects(stat(path.join(cl.directory, 'second.snapshot')), /ENOENT/);
  });
});
