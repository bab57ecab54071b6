import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findClientConfig } from '../../../../src/outbound/config/find-client-config.ts';

describe('the search for a client config', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'find-'));
  });
  after(() => rm(directory, { recursive: true }));

  const write = async (name: string, content: unknown) => {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const cluster = (name: string) => ({ name, cluster: { server: `https://${name}` } });
  const context = (name: string, user: string) => ({ name, context: { cluster: name, user } });
  const find = (env: Record<string, string>, options = {}) =>
    findClientConfig(options, {
      env,
      homeDirectory: join(directory, 'home'),
      secretsDirectory: join(directory, 'secrets'),
    });

  it('merges the files of a list: the first entry with a name wins, and paths are those of its file', async () => {
    await write('two/token', 'x');
    const one = await write('one/config', { clusters: [cluster('a')], contexts: [context('a', 'ann')] });
    const two = await write('two/config', {
      clusters: [{ name: 'a', cluster: { server: 'https://hidden' } }],
      users: [
        { name: 'ann', user: { tokenFile: 'token', as: 'bob', 'as-groups': ['g'], 'as-user-extra': { k: ['v'] } } },
      ],
      'current-context': 'a',
    });
    const list = [one, join(directory, 'missing'), two].join(delimiter);
    const expected = {
      server: 'https://a',
      tokenFile: join(directory, 'two/token'),
      impersonate: { username: 'bob', groups: ['g'], uid: '', extra: { k: ['v'] } },
      namespace: 'default',
    };
    for (const variable of ['CLIENTCONFIG', 'KUBECONFIG']) assert.deepEqual(await find({ [variable]: list }), expected);
    await assert.rejects(find({ CLIENTCONFIG: list }, { context: 'b' }), /context "b" does not exist; there are: a/);
  });

  it('finds the service account of a pod, under both sets of identifiers', async () => {
    for (const [domain, prefix] of [
      ['cluster.io', 'CLUSTER'],
      ['kubernetes.io', 'KUBERNETES'],
    ] as const) {
      const place = `secrets/${domain}/serviceaccount`;
      const tokenFile = await write(`${place}/token`, 't');
      await write(`${place}/ca.crt`, 'the CA');
      await write(`${place}/namespace`, 'work\n');
      const env = { [`${prefix}_SERVICE_HOST`]: 'fd00::1', [`${prefix}_SERVICE_PORT`]: '443' };
      assert.deepEqual(await find(env), {
        server: 'https://[fd00::1]:443',
        tokenFile,
        ca: 'the CA',
        namespace: 'work',
      });
    }
  });

  it('ends in the home directory, or with an error that says what to do', async () => {
    await assert.rejects(find({}), /no client config was found: set CLIENTCONFIG, or run in a pod/);
    await write('home/.kube/config', {
      clusters: [cluster('k')],
      contexts: [context('k', '')],
      'current-context': 'k',
    });
    assert.equal((await find({})).server, 'https://k');
    await write('home/.cl/config', { clusters: [cluster('c')], contexts: [context('c', '')], 'current-context': 'c' });
    assert.equal((await find({})).server, 'https://c');
  });
});
