import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCli } from '../../src/cli/commands/run-cli.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: ';

interface Stored {
  readonly metadata: { readonly managedFields: readonly { readonly manager: string; readonly operation: string }[] };
  readonly data: Readonly<Record<string, string>>;
}

describe('cl apply', () => {
  let server: TestServer;
  let directory: string;
  before(async () => {
    server = await startServer();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-apply-'));
    await writeFile(path.join(directory, 'config'), server.clientConfig, { mode: 0o600 });
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  const apply = async (text: string, ...flags: string[]): Promise<{ code: number; out: string; err: string }> => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const { signal } = new AbortController();
    const io = { stdin: Readable.from([text]), stdout, stderr, env: { HOME: directory }, directory, signal };
    const code = await runCli(['--clientconfig', 'config', 'apply', '-f', '-', ...flags], io);
    return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  };
  const stored = async (): Promise<Stored> =>
    (await request(server, 'GET', '/api/v1/namespaces/default/configmaps/settings')).body as Stored;

  it('creates and changes objects as the manager cl, and removes what a file no longer has', async () => {
    assert.deepEqual(await apply(`${settings}{a: '1', b: '2'}`), {
      code: 0,
      out: 'configmap/settings applied\n',
      err: '',
    });
    assert.equal((await apply(`${settings}{a: '3'}`)).out, 'configmap/settings applied\n');
    const { data, metadata } = await stored();
    assert.deepEqual(data, { a: '3' });
    const owners = metadata.managedFields.map(({ manager, operation }) => ({ manager, operation }));
    assert.deepEqual(owners, [{ manager: 'cl', operation: 'Apply' }]);
  });

  it('reads documents as large as the server takes, several in a file', async () => {
    const lines = (key: string) =>
      Array.from({ length: 2000 }, (_, index) => `  ${key}${index}: "${'x'.repeat(60)}"`).join('\n');
    const documents = ['one', 'two'].map(
      (name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${lines(name)}\n`,
    );
    const out = 'configmap/one applied\nconfigmap/two applied\n';
    assert.deepEqual(await apply(documents.join('---\n')), { code: 0, out, err: '' });
    const large = await apply(`${settings}{a: "${'x'.repeat(3 * 1024 * 1024)}"}`);
    assert.match(large.err, /document must have at most 3145728 bytes/);
  });

  it('refuses fields of another manager, unless they are taken over', async () => {
    const other = await apply(`${settings}{a: '4'}`, '--field-manager=other');
    assert.equal(other.code, 1);
    assert.match(other.err, /^error: .*conflict with "cl".* \(leave these fields out, or .*--force-conflicts\)$/m);
    assert.match(other.err, /^error: 1 of 1 objects were not applied$/m);
    assert.equal((await apply(`${settings}{a: '4'}`, '--field-manager=other', '--force-conflicts')).code, 0);
    assert.deepEqual((await stored()).data, { a: '4' });
  });

  it('shows with --dry-run what would be written, and refuses misspelled fields', async () => {
    const shown = await apply(`${settings}{a: '5'}`, '--dry-run', '--force-conflicts', '-o', 'yaml');
    assert.match(shown.out, /a: "5"/);
    assert.equal(
      (await apply(`${settings}{a: '5'}`, '--dry-run', '--force-conflicts')).out,
      'configmap/settings applied (server dry run)\n',
    );
    assert.deepEqual((await stored()).data, { a: '4' });
    assert.match((await apply(`${settings}{}\ndta: {}`)).err, /dta/);
  });
});
