import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestServer } from '../../src/testing/index.ts';
import { request } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { podsPath, startNodeWorld } from '../node-agent/node-world.ts';
import { startServer } from './start-server.ts';
import { hasTerminals, startInTerminal, type Terminal } from './terminal.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const merge = { 'content-type': 'application/merge-patch+json' };

// The codes of terminals begin with an escape, and Ctrl-C is a byte.
const escape = '\u001b';
const interrupt = '\u0003';

/** Ctrl-P and Ctrl-Q, which leave a program. */
const leaving = '\u0010\u0011';

(hasTerminals ? describe : describe.skip)('cl in a terminal', () => {
  let server: TestServer;
  let directory: string;
  before(async () => {
    server = await startServer();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-terminal-'));
    await mkdir(path.join(directory, '.kube'));
    await writeFile(path.join(directory, '.kube/config'), server.clientConfig, { mode: 0o600 });
    await mkdir(path.join(directory, 'bin'));
    await program('cl', `exec ${process.execPath} ${path.resolve('dist/src/bin/cl.js')} "$@"`);
    await request(server, 'POST', configMaps, { metadata: { name: 'settings' }, data: { colour: 'blue' } });
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  async function program(name: string, text: string): Promise<void> {
    const file = path.join(directory, 'bin', name);
    await writeFile(file, `#!/bin/sh\n${text}\n`);
    await chmod(file, 0o700);
  }

  function start(line: string, env: Readonly<Record<string, string>> = {}): Terminal {
    const variables = { PATH: `${path.join(directory, 'bin')}:${process.env.PATH ?? ''}`, ...env };
    return startInTerminal(line, { directory, env: variables });
  }

  it('writes the rows of a watch again where they are, until Ctrl-C', async () => {
    const watch = start('cl get configmaps -w');
    await watch.see(/^NAME +DATA +AGE\r\nsettings +1 +\S+\r\n/);
    await request(server, 'PATCH', `${configMaps}/settings`, { data: { more: 'x' } }, merge);
    // Up over the heading and the row, and clear from there.
    const shown = await watch.see(new RegExp(`${escape}\\[2A\\r${escape}\\[J[^${escape}]*settings +2[^${escape}]*\\n`));
    assert.match(shown, /NAME +DATA +AGE\r\nsettings +2 +\S+\r\n$/);
    await request(server, 'POST', configMaps, { metadata: { name: 'other' } });
    await watch.see(/settings +2 +\S+\r\nother +0 +\S+\r\n/);
    await request(server, 'DELETE', `${configMaps}/other`);
    await watch.see(new RegExp(`${escape}\\[3A\\r${escape}\\[JNAME[^\\n]*\\nsettings +2[^\\n]*\\n$`));
    watch.type(interrupt);
    assert.equal(await watch.code, 130);
  });

  it('lends the terminal to the editor, again after a refusal', async () => {
    const ask = String.raw`printf 'key? '; read key; sed -i "s#^  [a-z/]*: blue#  $key: blue#" "$1"`;
    await program('ask', ask);
    const edit = start('cl edit configmap settings', { EDITOR: 'ask', CL_EDITOR: '', KUBE_EDITOR: '' });
    await edit.see(/key\? /);
    edit.type('bad/key\n');
    await edit.see(/is invalid: data\[bad\/key\][^]*key\? /);
    edit.type('good\n');
    assert.equal(await edit.code, 0, edit.text());
    assert.match(edit.text(), /configmap\/settings edited\r\n$/);
    const { body } = await request(server, 'GET', `${configMaps}/settings`);
    assert.equal((body as { data: Record<string, string> }).data.good, 'blue');
  });

  it('lends the terminal to the program of a new pod, and deletes the pod when the user leaves', async () => {
    await using world = await startNodeWorld();
    await writeFile(path.join(directory, 'node-config'), world.server.clientConfig, { mode: 0o600 });
    await program('overrides', `exec cl --clientconfig node-config "$@" --overrides='{"spec":{"nodeName":"n"}}'`);
    const shell = start('overrides run shell --image=i -it --rm');
    const pod = `${podsPath}/shell`;
    await until('the pod is there', async () => (await request(world.server, 'GET', pod)).status === 200);
    const containerStatuses = [{ name: 'shell', state: { running: {} } }];
    await world.patchStatus(pod, { phase: 'Running', containerStatuses });
    await until('it is connected', () => world.agent.seen.some(({ url }) => /attach.*tty=1/.test(url)));
    shell.type(`typed${interrupt}\n`);
    await shell.see(/try pressing enter\.\r\ntyped/);
    shell.type(leaving);
    assert.equal(await shell.code, 0, shell.text());
    assert.match(shell.text(), /pod "shell" deleted from default namespace\r\n$/);
    const { metadata } = (await request(world.server, 'GET', pod)).body as { metadata: { deletionTimestamp?: string } };
    assert.ok(metadata.deletionTimestamp);
  });

  it('says what a command waits for that lasts, and ends with it', async () => {
    const held = { name: 'held', finalizers: ['example.com/held'] };
    await request(server, 'POST', configMaps, { metadata: held });
    const remove = start('cl delete configmap held');
    await remove.see(/waiting for configmaps\/held, which is held by finalizer example\.com\/held\r\n/);
    await request(server, 'PATCH', `${configMaps}/held`, { metadata: { finalizers: null } }, merge);
    assert.equal(await remove.code, 0, remove.text());
  });

  it('shows differences in colours, unless the user wants none', async () => {
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { good: 'green' } };
    await writeFile(path.join(directory, 'green.json'), JSON.stringify(manifest));
    const line = 'cl diff -f green.json --force-conflicts';
    const coloured = start(line);
    assert.equal(await coloured.code, 1, coloured.text());
    assert.ok(coloured.text().includes(`${escape}[32m+  good: green${escape}[0m\r\n`), coloured.text());
    const plain = start(line, { NO_COLOR: '1' });
    assert.equal(await plain.code, 1, plain.text());
    assert.match(plain.text(), /\n\+ {2}good: green\r\n/);
    assert.ok(!plain.text().includes(`${escape}[3`), plain.text());
  });

  it('completes words in bash when Tab is pressed', async function () {
    const shell = start('bash --norc --noprofile -i', { PS1: '$ ', BASH_SILENCE_DEPRECATION_WARNING: '1' });
    shell.type('bind "set bell-style none"; source <(cl completion bash); echo ready-$?\n');
    await shell.see(/ready-0\r\n/);
    shell.type('cl get configma\t');
    await shell.see(/cl get configmaps /);
    shell.type('sett\t');
    await shell.see(/cl get configmaps settings /);
    shell.type('-o na\t\n');
    await shell.see(/cl get configmaps settings -o name[^]*configmap\/settings\r\n/);
    shell.type('exit\n');
    assert.equal(await shell.code, 0);
  });
});
