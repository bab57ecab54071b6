import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isatty } from 'node:tty';
import { loadClientConfig } from '../../../../src/outbound/config/load-client-config.ts';
import { runExecPlugin } from '../../../../src/outbound/credentials/run-exec-plugin.ts';
import { execCredentials } from '../../../../src/outbound/credentials/exec-credentials.ts';
import type { ExecSettings } from '../../../../src/outbound/config/connection-settings.ts';

const apiVersion = 'client.authentication.cl.io/v1';
const quiet = { isTerminal: false, env: process.env, limits: { silentMs: 20_000, interactiveMs: 20_000 } };

/** A command that runs a script of Node. */
const script = (code: string, rest: Partial<ExecSettings> = {}): ExecSettings => ({
  command: process.execPath,
  args: ['-e', code],
  env: [],
  apiVersion,
  interactiveMode: 'Never',
  ...rest,
});
const printing = (value: unknown, rest: Partial<ExecSettings> = {}) =>
  script(`console.log(${JSON.stringify(JSON.stringify(value))})`, rest);
const credential = (status: unknown, rest = {}) => ({ kind: 'ExecCredential', apiVersion, status, ...rest });

describe('a credential plugin', () => {
  it('prints a token, a certificate and an expiry', async () => {
    const status = {
      token: 't',
      clientCertificateData: 'c',
      clientKeyData: 'k',
      expirationTimestamp: '2030-01-01T00:00:00Z',
    };
    assert.deepEqual(await runExecPlugin(printing(credential(status)), quiet), {
      token: 't',
      cert: 'c',
      key: 'k',
      expiresAtMs: Date.parse('2030-01-01T00:00:00Z'),
    });
  });

  const refusals: Readonly<Record<string, readonly [ExecSettings, RegExp]>> = {
    'another version than the configured one': [
      printing(credential({ token: 't' }, { apiVersion: 'client.authentication.cl.io/v1beta1' })),
      /configured to use API version client\.authentication\.cl\.io\/v1, plugin returned version .*v1beta1/,
    ],
    'another kind': [printing({ kind: 'Secret', apiVersion }), /did not print an ExecCredential/],
    'no JSON': [script('console.log("secret text")'), /^decoding stdout: exec plugin did not print JSON$/],
    'no status': [printing(credential(undefined)), /didn't return a status field/],
    'no credentials': [printing(credential({})), /didn't return a token or cert\/key pair/],
    'a certificate without its key': [
      printing(credential({ clientCertificateData: 'c' })),
      /returned only certificate or key, not both/,
    ],
    'an invalid expiry': [
      printing(credential({ token: 't', expirationTimestamp: 'soon' })),
      /invalid expirationTimestamp/,
    ],
    'a failure': [script('console.error("not logged in"); process.exit(3)'), /failed with exit code 3: not logged in$/],
    'more than a megabyte': [script('process.stdout.write("x".repeat(3e6))'), /printed too much/],
    'an interactive mode without a terminal': [
      printing(credential({ token: 't' }), { interactiveMode: 'Always' }),
      /cannot support interactive mode: standard input is not a terminal/,
    ],
    'a missing executable': [
      script('', { command: '/nowhere/plugin', installHint: 'Install it from the shop.' }),
      /executable \/nowhere\/plugin not found\n\nInstall it from the shop\.$/,
    ],
  };
  for (const [what, [settings, message]] of Object.entries(refusals)) {
    it(`is an error with ${what}`, () =>
      assert.rejects(runExecPlugin(settings, quiet), { name: 'CredentialError', message }));
  }

  it('leaves no timer that keeps the process alive if it cannot be started', async () => {
    const settings = script('', { command: '/nowhere/plugin' });
    const context = { isTerminal: false, env: {}, limits: { silentMs: 3_600_000, interactiveMs: 3_600_000 } };
    const code = `import { runExecPlugin } from './dist/src/outbound/credentials/run-exec-plugin.js';
      await runExecPlugin(${JSON.stringify(settings)}, ${JSON.stringify(context)}).catch(({ name }) => console.log(name));`;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { timeout: 50_000 });
    assert.equal(stdout.trim(), 'CredentialError');
  });

  it('is ended when it takes too long', () =>
    assert.rejects(
      runExecPlugin(script('setInterval(() => {}, 1000)'), { ...quiet, limits: { silentMs: 300, interactiveMs: 300 } }),
      /was ended with SIGKILL/,
    ));

  it('has the standard input if that is a terminal and its mode allows it', async () => {
    const echo = `console.log(JSON.stringify({kind: 'ExecCredential', apiVersion: '${apiVersion}', status: {
      token: String(JSON.parse(process.env.CLUSTER_EXEC_INFO).spec.interactive)}}))`;
    for (const [interactiveMode, isTerminal, expected] of [
      ['Always', true, 'true'],
      ['IfAvailable', true, 'true'],
      ['IfAvailable', false, 'false'],
      ['Never', true, 'false'],
    ] as const) {
      assert.equal((await runExecPlugin(script(echo, { interactiveMode }), { ...quiet, isTerminal })).token, expected);
    }
    // The value is there whatever the standard input of this process is.
    const { token } = await runExecPlugin(script(echo, { interactiveMode: 'IfAvailable' }));
    assert.equal(token, String(isatty(0)));
  });

  it('gets its input in the variable of its API group, with its own environment', async () => {
    const echo = (variable: string) => `console.log(JSON.stringify({kind: 'ExecCredential', apiVersion: JSON.parse(
      process.env.${variable}).apiVersion, status: {token: process.env.${variable} + process.env.OWN}}))`;
    const cluster = { server: 'https://here', config: { any: 1 } };
    const env = [{ name: 'OWN', value: ' own' }];
    for (const [variable, version] of [
      ['CLUSTER_EXEC_INFO', apiVersion],
      ['KUBERNETES_EXEC_INFO', 'client.authentication.k8s.io/v1beta1'],
      ['KUBERNETES_EXEC_INFO', 'client.authentication.k8s.io/v1alpha1'],
    ] as const) {
      const { token = '' } = await runExecPlugin(script(echo(variable), { apiVersion: version, cluster, env }), quiet);
      assert.match(token, / own$/);
      const input: unknown = JSON.parse(token.slice(0, -4));
      assert.deepEqual(input, { kind: 'ExecCredential', apiVersion: version, spec: { cluster, interactive: false } });
    }
  });
});

describe('the credentials of a plugin', () => {
  const settings = script('');
  it('are used until they expire, by all requests that wait', async () => {
    let runs = 0;
    const source = execCredentials(settings, {}, async () => {
      runs++;
      return { token: `t${runs}`, expiresAtMs: Date.now() + (runs === 1 ? -1 : 60_000) };
    });
    const [one, other] = await Promise.all([source.get(), source.get()]);
    assert.equal(one, other);
    assert.deepEqual(one, { authorization: 'Bearer t1' });
    assert.deepEqual(await source.get(), { authorization: 'Bearer t2' });
    assert.deepEqual(await source.get(), { authorization: 'Bearer t2' });
    assert.equal(runs, 2);
  });

  it('without an expiry are used until they are refused, once for all refused requests', async () => {
    let runs = 0;
    const source = execCredentials(settings, {}, async () => ({ token: `t${++runs}` }));
    const refused = await source.get();
    await source.get();
    assert.equal(runs, 1);
    assert.deepEqual(await Promise.all([source.renew(refused), source.renew(refused)]), [
      { authorization: 'Bearer t2' },
      { authorization: 'Bearer t2' },
    ]);
    assert.deepEqual(await source.renew(refused), { authorization: 'Bearer t2' });
    assert.equal(runs, 2);
  });
});

describe('the user of a client config with a plugin', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'exec-'));
  });
  after(() => rm(directory, { recursive: true }));
  const load = async (exec: unknown, cluster = {}) => {
    const file = join(directory, 'config');
    await writeFile(
      file,
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: 'https://here', ...cluster } }],
        users: [{ name: 'u', user: { exec } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    );
    return (await loadClientConfig(file)).exec;
  };
  const exec = { apiVersion, command: 'plugin', interactiveMode: 'Never' };

  it('names a command in PATH, or a file relative to the config', async () => {
    assert.equal((await load(exec))?.command, 'plugin');
    assert.equal((await load({ ...exec, command: './bin/plugin' }))?.command, join(directory, 'bin/plugin'));
    assert.equal((await load({ ...exec, command: '/bin/plugin' }))?.command, '/bin/plugin');
  });

  it('needs a mode in v1, and has a default in older versions', async () => {
    const { interactiveMode: _, ...without } = exec;
    await assert.rejects(load(without), /interactiveMode must be specified for user "u" to use exec/);
    for (const version of ['v1beta1', 'v1alpha1']) {
      const old = { ...without, apiVersion: `client.authentication.cl.io/${version}` };
      assert.equal((await load(old))?.interactiveMode, 'IfAvailable');
    }
    await assert.rejects(
      load({ ...exec, interactiveMode: 'Sometimes' }),
      /interactiveMode must be Never, IfAvailable or/,
    );
    await assert.rejects(load({ ...exec, apiVersion: 'v2' }), /apiVersion "v2" is not supported/);
    await assert.rejects(load({ ...exec, command: '' }), /command must be specified/);
    await assert.rejects(load({ ...exec, env: [{ value: 'x' }] }), /env variable name must be specified/);
  });

  it('passes what is known of the cluster if it is to', async () => {
    const extensions = [
      { name: 'other', extension: {} },
      { name: 'client.authentication.cl.io/exec', extension: { audience: 'a' } },
    ];
    const proxy = { 'proxy-url': 'http://proxy:3128' };
    const cluster = { ...proxy, 'certificate-authority-data': Buffer.from('CA').toString('base64'), extensions };
    assert.equal((await load(exec, cluster))?.cluster, undefined);
    assert.deepEqual((await load({ ...exec, provideClusterInfo: true }, cluster))?.cluster, {
      server: 'https://here',
      ...proxy,
      'certificate-authority-data': Buffer.from('CA').toString('base64'),
      config: { audience: 'a' },
    });
  });

  it('runs without a shell', async () => {
    const plugin = join(directory, 'a plugin; exit 1');
    await writeFile(plugin, `#!/bin/sh\necho '${JSON.stringify(credential({ token: 't' }))}'\n`);
    await chmod(plugin, 0o755);
    const settings = await load({ ...exec, command: './a plugin; exit 1', args: ['$(touch shell)'] });
    assert.ok(settings);
    assert.equal((await runExecPlugin(settings, quiet)).token, 't');
    await assert.rejects(readFile(join(directory, 'shell')));
  });
});
