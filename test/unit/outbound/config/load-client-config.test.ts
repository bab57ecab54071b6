import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadClientConfig, readClientConfig } from '../../../../src/outbound/config/load-client-config.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const good = `
apiVersion: v1
kind: Config
clusters:
- name: here
  cluster: {server: "https://127.0.0.1:6443/", certificate-authority-data: ${base64('the CA')}}
- name: there
  cluster: {server: "https://there/prefix", certificate-authority: ca.crt, tls-server-name: other, insecure-skip-tls-verify: true}
users:
- name: admin
  user: {client-certificate-data: ${base64('cert')}, client-key: admin.key}
- name: robot
  user: {tokenFile: token, username: robot, password: secret}
- name: half
  user: {client-certificate-data: ${base64('cert')}}
- name: plugin
  user: {exec: {command: x}}
contexts:
- name: admin@here
  context: {cluster: here, user: admin}
- name: robot@there
  context: {cluster: there, user: robot, namespace: work}
- name: half
  context: {cluster: here, user: half}
- name: plugin
  context: {cluster: here, user: plugin}
- name: lost
  context: {cluster: nowhere, user: admin}
current-context: admin@here
`;

describe('a client config', () => {
  let directory: string;
  const write = async (text: string): Promise<string> => {
    const path = join(directory, 'config');
    await writeFile(path, text);
    return path;
  };
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'config-'));
    await writeFile(join(directory, 'admin.key'), 'key');
    await writeFile(join(directory, 'ca.crt'), 'CA from file');
  });
  after(() => rm(directory, { recursive: true }));

  it('gives the current context, with data inline and from files beside it', async () => {
    assert.deepEqual(await loadClientConfig(await write(good)), {
      server: 'https://127.0.0.1:6443',
      ca: 'the CA',
      cert: 'cert',
      key: 'key',
      namespace: 'default',
    });
  });

  it('gives another context by name', async () => {
    assert.deepEqual(await loadClientConfig(await write(good), { context: 'robot@there' }), {
      server: 'https://there/prefix',
      ca: 'CA from file',
      tokenFile: join(directory, 'token'),
      username: 'robot',
      password: 'secret',
      serverName: 'other',
      insecure: true,
      namespace: 'work',
    });
  });

  const refused: Record<string, [string, RegExp]> = {
    'no such context': ['none', /context "none" does not exist; there are: admin@here, robot@there/],
    'no such cluster': ['lost', /cluster "nowhere" does not exist; there are: here, there/],
    'half a certificate': ['half', /user "half": client-certificate and client-key must come together/],
    'a credential plugin without a version': ['plugin', /user "plugin": exec: apiVersion "" is not supported/],
  };
  for (const [what, [context, message]] of Object.entries(refused)) {
    it(`is refused with ${what}`, async () => {
      await assert.rejects(loadClientConfig(await write(good), { context }), { name: 'ClientConfigError', message });
    });
  }

  const malformed: Record<string, [string, RegExp]> = {
    'no mapping': ['- a', /config: a mapping with clusters, users and contexts was expected/],
    'broken YAML': ['a: [', /config: not valid YAML/],
    'clusters that are no list': ['clusters: {}', /clusters is not a list/],
    'an entry without a name': ['clusters: [{cluster: {}}]', /clusters\[0\].name is not a string/],
    'no context at all': ['clusters: []', /no context is chosen; there is none/],
    'a server that is no URL': [
      'clusters: [{name: a, cluster: {server: "127.0.0.1:80"}}]\ncontexts: [{name: c, context: {cluster: a}}]\ncurrent-context: c',
      /cluster "a": server must be a URL like https:\/\/host:port/,
    ],
  };
  for (const [what, [text, message]] of Object.entries(malformed)) {
    it(`is refused with ${what}`, async () => {
      await assert.rejects(loadClientConfig(await write(text)), { name: 'ClientConfigError', message });
    });
  }

  it('that is not there is named', async () => {
    await assert.rejects(
      loadClientConfig('/nowhere/config'),
      /^ClientConfigError: cannot read \/nowhere\/config: it does not exist$/,
    );
  });

  it('is read from a text or an object', async () => {
    const config = {
      clusters: [{ name: 'here', cluster: { server: 'https://here', 'certificate-authority-data': base64('the CA') } }],
      users: [{ name: 'robot', user: { token: 'secret' } }],
      contexts: [{ name: 'robot', context: { cluster: 'here', user: 'robot', namespace: 'work' } }],
      'current-context': 'robot',
    };
    const settings = { server: 'https://here', ca: 'the CA', token: 'secret', namespace: 'work' };
    assert.deepEqual(await readClientConfig(config), settings);
    assert.deepEqual(await readClientConfig(JSON.stringify(config)), settings);
    await assert.rejects(readClientConfig('clusters: 1'), {
      name: 'ClientConfigError',
      message: 'clusters is not a list',
    });
    await assert.rejects(readClientConfig([]), { name: 'ClientConfigError', message: 'the config is not a mapping' });
  });

  it('names the field whose data is not base64, without the data', async () => {
    const read = (cluster: object, user: object) =>
      readClientConfig({
        clusters: [{ name: 'here', cluster: { server: 'https://here', ...cluster } }],
        users: [{ name: 'me', user }],
        contexts: [{ name: 'it', context: { cluster: 'here', user: 'me' } }],
        'current-context': 'it',
      });
    const wrong = ['-----BEGIN', 'a', 'ab=c', '====', 'äöü=', 'aGk=aGk='];
    for (const data of wrong) {
      await assert.rejects(
        read({ 'certificate-authority-data': data }, {}),
        { name: 'ClientConfigError', message: 'cluster "here": certificate-authority-data must be base64' },
        data,
      );
    }
    await assert.rejects(read({}, { 'client-certificate-data': base64('cert'), 'client-key-data': 'not base64!' }), {
      message: 'user "me": client-key-data must be base64',
    });
    const folded = base64('a longer text in several lines')
      .replaceAll(/(.{8})/g, '$1\n')
      .replace(/=+$/, '');
    assert.equal((await read({ 'certificate-authority-data': folded }, {})).ca, 'a longer text in several lines');
  });
});
