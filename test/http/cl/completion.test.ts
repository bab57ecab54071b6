import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { type Outcome, runCl, writeConfig } from './cl-runner.ts';

const run = promisify(execFile);

describe('cl at a shell', () => {
  let server: TestServer;
  let directory: string;
  before(async () => {
    server = await startServer();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-shell-'));
    await writeConfig(directory, server.clientConfig);
    await mkdir(path.join(directory, '.kube'));
    await writeFile(path.join(directory, '.kube/config'), server.clientConfig);
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'main', image: 'i' }] } };
    const selector = { matchLabels: { a: 'b' } };
    await request(server, 'POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'web' },
      spec: { replicas: 0, selector, template },
    });
    for (const name of ['web-1', 'web-2']) {
      const containers = ['main', 'other'].map((each) => ({ name: each, image: 'i' }));
      await request(server, 'POST', '/api/v1/namespaces/default/pods', { metadata: { name }, spec: { containers } });
    }
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  /** The texts that complete the last word, and the bits for the shell. */
  async function complete(...words: string[]): Promise<{ texts: string[]; bits: number }> {
    const { code, out, err } = await runCl(['__complete', ...words], { directory, isUsual: true });
    assert.deepEqual([code, err], [0, '']);
    const lines = out.trimEnd().split('\n');
    const texts = lines.slice(0, -1).map((line) => line.split('\t')[0] ?? '');
    return { texts, bits: Number(lines.at(-1)?.slice(1)) };
  }

  /** Waits until the server is asked in time: what takes longer is not offered. */
  const offers = (words: readonly string[], texts: readonly string[]) =>
    until(`${words.join(' ')}: ${texts.join(' ')}`, async () => {
      const found = new Set((await complete(...words)).texts);
      return texts.every((text) => found.has(text));
    });

  describe('completion', () => {
    it('offers commands, and those of a group', async () => {
      assert.ok((await complete('')).texts.includes('get'));
      assert.deepEqual((await complete('conf')).texts, ['config']);
      assert.deepEqual((await complete('config', 'use')).texts, ['use-context']);
    });

    it('offers flags and their values', async () => {
      assert.deepEqual((await complete('get', 'pods', '--all-na')).texts, ['--all-namespaces']);
      await offers(['-n', ''], ['default']);
      await offers(['get', '--namespace=def'], ['--namespace=default']);
      assert.deepEqual((await complete('get', 'pods', '-o', 'ya')).texts, ['yaml']);
      assert.deepEqual(await complete('get', 'pods', '-o', 'jsonp'), { texts: ['jsonpath='], bits: 6 });
      await offers(['logs', 'web-1', '-c', 'm'], ['main']);
      assert.equal((await complete('apply', '-f', '')).bits, 0);
      assert.equal((await complete('--context', '')).texts.length, 1);
    });

    it('offers types and the names of objects', async () => {
      await offers(['get', 'dep'], ['deployments']);
      await offers(['get', 'pods', ''], ['web-1', 'web-2']);
      assert.deepEqual((await complete('get', 'pods', 'web')).texts, ['web-1', 'web-2']);
      assert.deepEqual((await complete('get', 'pods', 'web-1', 'web')).texts, ['web-2']);
      await offers(['get', 'po/web-2'], ['po/web-2']);
      assert.deepEqual((await complete('logs', 'w')).texts, ['web-1', 'web-2']);
      assert.deepEqual((await complete('get', 'pods', '-n', 'none', '')).texts, []);
      assert.deepEqual((await complete('completion', '')).texts, ['bash', 'zsh', 'fish', 'powershell']);
    });

    it('offers the containers whose images can be set', async () => {
      await offers(['set', 'image', 'deployments/web', ''], ['main=']);
      await offers(['set', 'image', 'deployments', 'web', 'm'], ['main=']);
      assert.equal((await complete('set', 'image', 'deployments/web', 'm')).bits, 6);
    });

    it('offers nothing, and prints nothing, without a server', async () => {
      assert.deepEqual((await complete('get', 'pods', '--server=https://127.0.0.1:1', '')).texts, []);
      assert.deepEqual((await complete('unknown', '')).texts, []);
      assert.equal((await complete('exec', 'web-1', '--', '')).bits, 0);
    });

    it('works in bash', async () => {
      const { out } = await runCl(['completion', 'bash'], { directory });
      const program = path.resolve('dist/src/bin/cl.js');
      const ask = async (line: string): Promise<string> => {
        const words = [...line.split(/[\s=]/), ''].slice(0, -1);
        const script = [
          `cl() { ${process.execPath} ${program} "$@"; }`,
          out,
          `compopt() { :; }; COMP_LINE='${line}'; COMP_POINT=${line.length}`,
          `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`,
          '_cl; echo "${COMPREPLY[*]}"',
        ];
        const env = { HOME: directory, PATH: process.env.PATH };
        return (await run('bash', ['-c', script.join('\n')], { env, cwd: directory })).stdout.trimEnd();
      };
      // Names that are not there in time are not offered.
      const asked = (line: string, texts: string) =>
        until(`${line}: ${texts}`, async () => (await ask(line)) === texts);
      await asked('cl get pods we', 'web-1 web-2');
      assert.equal(await ask('cl config use-c'), 'use-context');
      await asked('cl get --namespace=def', 'default');
      assert.equal(await ask('cl get pods --all-na'), '--all-namespaces');
      await asked('cl get deploym', 'deployments');
      assert.equal(await ask('cl get pods -o jsonpath-as'), '');
      await asked('cl describe pod/web-2', 'pod/web-2');
      assert.equal(await ask('cl config use-context te'), 'test');
    });

    it('has a script for each shell', async () => {
      for (const shell of ['zsh', 'fish', 'powershell']) {
        assert.match((await runCl(['completion', shell], { directory })).out, /__complete/);
      }
      assert.match((await runCl(['completion', 'csh'], { directory })).err, /there is no completion for "csh"/);
    });
  });

  describe('plugins', () => {
    const at = async (...args: string[]): Promise<Outcome> => {
      const env = { PATH: `${path.join(directory, 'bin')}${path.delimiter}${process.env.PATH}` };
      return runCl(args, { directory, env, isUsual: true });
    };
    before(async () => {
      const folder = path.join(directory, 'bin');
      await mkdir(folder);
      for (const name of [
        'cl-hello',
        'cl-hello-deep_er',
        'kubectl-hello',
        'kubectl-old',
        'cl-get',
        'kubectl-create-toy',
      ]) {
        await writeFile(path.join(folder, name), `#!/bin/sh\necho ${name} "$@"; exit 3\n`);
        await chmod(path.join(folder, name), 0o755);
      }
      await writeFile(path.join(folder, 'cl-text'), '');
    });

    it('are commands, of which the longest name wins', async () => {
      assert.deepEqual(await at('hello', 'x', '--flag'), { code: 3, out: 'cl-hello x --flag\n', err: '' });
      assert.equal((await at('hello', 'deep-er', 'x')).out, 'cl-hello-deep_er x\n');
      assert.equal((await at('old')).out, 'kubectl-old\n');
      assert.equal((await at('create', 'toy', 'x', '--flag')).out, 'kubectl-create-toy x --flag\n');
      assert.match((await at('create', '-f', 'none', 'toy')).err, /cannot be created without a file/);
      assert.match((await at('text')).err, /unknown command "text"/);
      assert.doesNotMatch((await at('get', 'pods')).out, /cl-get/);
    });

    it('are listed, with those that do not run', async () => {
      const { code, out, err } = await at('plugin', 'list', '--name-only');
      assert.equal(code, 1);
      assert.match(out, /^The following compatible plugins are available:\n\ncl-get\ncl-hello\n/);
      assert.match(err, /cl-text identified as a plugin, but it is not executable/);
      assert.match(err, /cl-get overwrites existing command: "cl get"/);
      assert.match(err, /kubectl-hello is overshadowed/);
      const none = await runCl(['plugin', 'list'], { directory, env: { PATH: directory } });
      assert.match(none.err, /unable to find any plugins/);
    });
  });
});
