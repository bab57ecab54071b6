import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCl } from './cl-runner.ts';

/** The client config that "cl up" writes. */
function adminConfig(server: string, key: string): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: cluster
  cluster: {server: "${server}"}
users:
- name: admin
  user: {client-key-data: ${key}}
contexts:
- name: admin@cluster
  context: {cluster: cluster, user: admin}
current-context: admin@cluster
`;
}

describe('cl up kubeconfig', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'cl-plane-'));
    await writePlane('old', 'https://127.0.0.1:7443', 'first');
  });
  afterEach(() => rm(home, { recursive: true }));

  async function writePlane(name: string, server: string, key: string): Promise<void> {
    const folder = path.join(home, '.cl/planes', name);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'admin.clientconfig'), adminConfig(server, key));
  }
  const cl = (...args: string[]) => runCl(['up', 'kubeconfig', ...args], { directory: home, isUsual: true });
  const own = () => readFile(path.join(home, '.kube/config'), 'utf8');

  it('prints the config of a plane, with names of its own', async () => {
    const { code, out } = await cl('--name=old');
    assert.equal(code, 0);
    assert.match(out, /^current-context: old$/m);
    assert.match(out, /^- name: admin@old$/m);
    assert.doesNotMatch(out, /admin@cluster/);
    await mkdir(path.join(home, '.cl'), { recursive: true });
    await writeFile(path.join(home, '.cl/admin.clientconfig'), adminConfig('https://127.0.0.1:6443', 'k'));
    assert.match((await cl()).out, /^current-context: admin@cluster$/m);
  });

  it('merges it into the config of the user, again after a restart, and beside others', async () => {
    await mkdir(path.join(home, '.kube'));
    await writeFile(path.join(home, '.kube/config'), adminConfig('https://work.example.com', 'work'));
    const first = await cl('--name=old', '--merge');
    const file = path.join(home, '.kube/config');
    assert.deepEqual([first.code, first.out], [0, `3 entries of context "old" merged into ${file}.\n`]);
    assert.match(await own(), /^current-context: admin@cluster$/m);
    await writePlane('old', 'https://127.0.0.1:7443', 'second');
    const again = await cl('--name=old', '--merge', '--use');
    assert.equal(again.out, `1 entries of context "old" merged into ${file}.\nSwitched to context "old".\n`);
    const text = await own();
    assert.match(text, /client-key-data: second/);
    assert.match(text, /client-key-data: work/);
    assert.match(text, /^current-context: old$/m);
  });

  it('replaces entries of another server only if told to', async () => {
    await cl('--name=old', '--merge');
    await writePlane('old', 'https://127.0.0.1:9443', 'third');
    const refused = await cl('--name=old', '--merge');
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, /^error: clusters has another entry "old" \(replace it with --overwrite\)\n$/);
    assert.equal((await cl('--name=old', '--merge', '--overwrite')).code, 0);
    assert.match(await own(), /9443/);
  });

  it('says what is wrong', async () => {
    assert.match(
      (await cl('--name=none')).err,
      /^error: .*none has no control plane \(start one with "cl up --name=none"\)\n$/,
    );
    assert.match(
      (await cl('--data-dir=a b')).err,
      / has no control plane \(start one with "cl up --data-dir='a b'"\)\n$/,
    );
    assert.match((await cl('--name=old', '--use')).err, /^error: --use and --overwrite need --merge/);
  });
});
