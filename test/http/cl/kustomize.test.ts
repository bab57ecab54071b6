import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ClServer, startClServer } from './cl-runner.ts';

describe('cl with kustomize', () => {
  let world: ClServer;
  let bin: string;
  before(async () => {
    world = await startClServer();
    bin = path.join(world.directory, 'bin');
    await mkdir(bin);
  });
  after(() => world[Symbol.asyncDispose]());

  /** Makes the only programs of the PATH. */
  async function program(name: string, text: string): Promise<void> {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${text}\n`);
    await chmod(path.join(bin, name), 0o700);
  }
  const cl = (...args: readonly string[]) => world.with({ PATH: bin }).run(...args);
  const map = String.raw`printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: built\ndata:\n  words: "%s"\n' "$*"`;

  it('says what is missing', async () => {
    const message = /^error: neither "kustomize" nor "kubectl" is on the PATH, .* build overlay \(install one, /;
    for (const line of [
      ['kustomize', 'overlay'],
      ['apply', '-k', 'overlay'],
      ['get', '-k', 'overlay'],
    ]) {
      const { code, err } = await cl(...line);
      assert.deepEqual([code, message.test(err)], [1, true], err);
    }
  });

  it('prints what a program builds, which gets the flags', async () => {
    await program('kubectl', map);
    assert.match((await cl('kustomize', 'overlay')).out, /words: "kustomize overlay"/);
    await program('kustomize', map);
    const { out } = await cl(
      'kustomize',
      '--enable-helm',
      '-e',
      'a=b',
      '--env=c',
      '--load-restrictor',
      'LoadRestrictionsNone',
    );
    assert.match(out, /words: "build \. --enable-helm=true --env=a=b --env=c --load-restrictor=LoadRestrictionsNone"/);
  });

  it('takes the objects of -k', async () => {
    assert.equal((await cl('apply', '-k', 'overlay')).out, 'configmap/built created\n');
    assert.match((await cl('get', '-k', 'overlay', '-o', 'yaml')).out, /words: build overlay/);
    assert.match((await cl('describe', '-k', 'overlay')).out, /^Name: +built$/m);
    assert.equal((await cl('diff', '-k', 'overlay')).code, 0);
    assert.equal((await cl('delete', '-k', 'overlay')).out, 'configmap "built" deleted from default namespace\n');
    assert.equal((await cl('create', '-k', 'overlay')).out, 'configmap/built created\n');
    assert.match((await cl('auth', 'reconcile', '-k', 'overlay')).err, /neither a role nor a binding/);
    assert.match((await cl('get', '-k', 'overlay', '-f', 'x')).err, /only one of -f and -k/);
  });

  it('reports the messages of a program that fails', async () => {
    await program('kustomize', 'echo "no such folder" >&2; exit 1');
    assert.match((await cl('kustomize', 'x')).err, /^error: kustomize build x failed: no such folder\n$/);
  });
});
