import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { CliIo } from '../../../src/cli/cli-io.ts';
import { recordOwnConfig } from '../../../src/cli/own-configs.ts';
import { runCl } from '../../http/cl/cl-runner.ts';

/** A client config whose server does not answer. */
function configOf(name: string, user: string): string {
  return `apiVersion: v1
kind: Config
clusters: [{name: ${name}, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: ${name}, user: ${user}}]
contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}}}]
current-context: ${name}
`;
}

describe('A client config in the working directory', () => {
  let home: string;
  let folder: string;
  let file: string;
  let trace: string;
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'cl-home-'));
    folder = await mkdtemp(path.join(tmpdir(), 'cl-folder-'));
    file = path.join(folder, '.cl/admin.kubeconfig');
    trace = path.join(folder, 'has-run');
    await mkdir(path.dirname(file));
  });
  afterEach(() => Promise.all([home, folder].map((each) => rm(each, { recursive: true }))));

  const cl = (...args: string[]) => runCl(args, { directory: folder, env: { HOME: home }, isUsual: true });
  const write = (user: string) => writeFile(file, configOf('here', user), { mode: 0o600 });
  const writeProgram = () =>
    write(
      `{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: touch, args: ["${trace}"]}}`,
    );
  const record = (at = home): Promise<void> => {
    const io: CliIo = {
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      env: { HOME: at },
      directory: folder,
      signal: new AbortController().signal,
    };
    return recordOwnConfig(file, io);
  };

  it('does not count if others wrote it, and runs no program', async () => {
    await writeProgram();
    assert.match((await cl('get', 'ns')).err, /^error: no client config was found \(.*you did not start "cl up" here/);
    await mkdir(path.join(home, '.kube'));
    await writeFile(path.join(home, '.kube/config'), configOf('home', '{}'));
    assert.equal((await cl('config', 'current-context')).out, 'home\n');
    assert.match((await cl('get', 'ns')).err, /^error: cannot reach http:\/\/127\.0\.0\.1:1: /);
    await cl('__complete', 'get', 'pods', '');
    assert.ok(!existsSync(trace));
  });

  it('counts if "cl up" of this user wrote it', async () => {
    await write('{}');
    await Promise.all([record(), record()]);
    assert.deepEqual(await cl('config', 'current-context'), { code: 0, out: 'here\n', err: '' });
    await chmod(file, 0o666);
    assert.match((await cl('config', 'current-context')).err, /^error: current-context is not set/);
  });

  it('is not recorded where the home directory cannot be made', async function () {
    if (!existsSync('/proc/self')) this.skip();
    await write('{}');
    // The recursive mkdir of Node never returns there.
    await assert.rejects(record('/proc/nope'), /ENOENT/);
  });

  it('runs no program and reads no token even then', async () => {
    await writeProgram();
    await record();
    assert.match((await cl('get', 'ns')).err, /user "here": exec is not supported/);
    assert.ok(!existsSync(trace));
    assert.match((await cl('get', 'ns', '--clientconfig=.cl/admin.kubeconfig')).err, /^error: /);
    assert.ok(existsSync(trace));
    await write('{tokenFile: secret}');
    assert.match((await cl('get', 'ns')).err, /tokenFile is not supported/);
    await write('{auth-provider: {name: oidc}}');
    assert.match((await cl('get', 'ns')).err, /auth-provider is not supported/);
  });
});
