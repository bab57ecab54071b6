import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withConfigLocks } from '../../../src/cli/client-config-files/write-config-file.ts';
import { decodePlainYaml } from '../../../src/codec/plain-yaml.ts';
import { type Outcome, runCl, startCl } from '../../http/cl/cl-runner.ts';

describe('cl config', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-config-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const config = (...args: string[]): Promise<Outcome> => runCl(['config', ...args], { directory });
  const contentOf = (file: string): Promise<string> => readFile(path.join(directory, file), 'utf8');
  const out = async (...args: string[]): Promise<string> => {
    const { code, out: text, err } = await config(...args);
    assert.deepEqual([code, err], [0, '']);
    return text;
  };

  it('makes a file that only its owner reads, as a whole', async () => {
    assert.equal(await out('set-context', 'a', '--cluster=c', '--user=u', '-n', 'ns'), 'Context "a" created.\n');
    assert.equal((await stat(path.join(directory, 'config'))).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(directory), ['config']);
    assert.equal(
      await readFile(path.join(directory, 'config'), 'utf8'),
      [
        'apiVersion: v1',
        'clusters: []',
        'contexts:',
        '- context:',
        '    cluster: c',
        '    namespace: ns',
        '    user: u',
        '  name: a',
        'kind: Config',
        'users: []',
        '',
      ].join('\n'),
    );
  });

  it('writes through no link that others prepared', async () => {
    await writeFile(path.join(directory, 'other'), 'kept');
    await symlink('other', path.join(directory, `config.${process.pid}`));
    await out('set-context', 'a');
    assert.equal(await contentOf('other'), 'kept');
  });

  it('changes, renames and deletes contexts', async () => {
    await out('set-context', 'a', '--cluster=c', '--user=u');
    assert.equal(await out('set-context', 'a', '--user=v'), 'Context "a" modified.\n');
    assert.equal(await out('use-context', 'a'), 'Switched to context "a".\n');
    assert.equal(await out('current-context'), 'a\n');
    const heading = 'CURRENT   NAME   CLUSTER   AUTHINFO   NAMESPACE\n';
    assert.equal(await out('get-contexts'), `${heading}*         a      c         v          \n`);
    assert.equal(await out('get-contexts', '-o', 'name'), 'a\n');
    assert.equal(await out('set-context', '--current', '--namespace=x'), 'Context "a" modified.\n');
    assert.equal(await out('rename-context', 'a', 'b'), 'Context "a" renamed to "b".\n');
    assert.equal(await out('current-context'), 'b\n');
    const deleted = await config('delete-context', 'b');
    assert.match(deleted.out, /^deleted context b from .*\/config\n$/);
    assert.match(deleted.err, /^warning: this removed your active context/);
    assert.match((await config('delete-context', 'b')).err, /^error: cannot delete context b, not in /);
    assert.match((await config('use-context', 'none')).err, /no context exists with the name: "none"/);
    assert.match((await config('rename-context', 'none', 'b')).err, /cannot rename the context "none", it's not in/);
  });

  it('hides secrets, unless they are asked for', async () => {
    await writeFile(path.join(directory, 'ca.crt'), 'certificate');
    await out('set-cluster', 'c', '--server=https://h:1', '--certificate-authority=ca.crt', '--embed-certs');
    await out('set-credentials', 'u', '--token=abc');
    await out('set-context', 'a', '--cluster=c', '--user=u');
    const shown = await out('view');
    assert.match(shown, /certificate-authority-data: DATA\+OMITTED\n/);
    assert.match(shown, /token: REDACTED\n/);
    assert.match(await out('view', '--raw'), /token: abc\n/);
    assert.match((await config('view', '--minify')).err, /current-context must exist in order to minify/);
    await out('use-context', 'a');
    const { users } = JSON.parse(await out('view', '--minify', '-o', 'json')) as { users: object };
    assert.deepEqual(users, [{ name: 'u', user: { token: 'REDACTED' } }]);
  });

  it('puts the content of files in place of their paths', async () => {
    await writeFile(path.join(directory, 'ca.crt'), 'certificate');
    await out('set-cluster', 'c', '--server=https://h:1', '--certificate-authority=ca.crt');
    assert.match(await out('view'), new RegExp(`certificate-authority: ${directory}/ca\\.crt\n`));
    const flat = await out('view', '--flatten', '--raw');
    assert.match(flat, /certificate-authority-data: Y2VydGlmaWNhdGU=\n/);
    assert.doesNotMatch(flat, /certificate-authority:/);
  });

  it('keeps a program that prints credentials', async () => {
    const flags = ['--exec-command=login', '--exec-arg=a', '--exec-arg=b', '--exec-env=K=V'];
    await out('set-credentials', 'u', ...flags);
    await out('set-credentials', 'u', '--exec-env=K-', '--exec-env=L=W');
    const view = JSON.parse(await out('view', '-o', 'json')) as {
      users: [{ user: { exec: Record<string, unknown> } }];
    };
    const { command, args, env, interactiveMode } = view.users[0].user.exec;
    const variables = [{ name: 'L', value: 'W' }];
    assert.deepEqual([command, args, env, interactiveMode], ['login', ['a', 'b'], variables, 'IfAvailable']);
    const both = await config('set-credentials', 'u', '--token=t', '--password=p');
    assert.match(both.err, /more than one authentication method/);
  });

  it('sets and unsets properties by their paths', async () => {
    assert.equal(await out('set', 'clusters.a.b.server', 'https://h'), 'Property "clusters.a.b.server" set.\n');
    assert.equal(await out('get-clusters'), 'NAME\na.b\n');
    await out('set', 'clusters.a.b.insecure-skip-tls-verify', 'true');
    assert.match(await out('view'), /insecure-skip-tls-verify: true\n/);
    await out('unset', 'clusters.a.b.insecure-skip-tls-verify');
    assert.doesNotMatch(await out('view'), /insecure/);
    await out('unset', 'clusters.a.b');
    assert.equal(await out('get-clusters'), 'NAME\n');
    assert.match((await config('set', 'foo.bar', 'x')).err, /there is no property "foo\.bar"/);
    assert.match((await config('set', 'clusters.c.certificate-authority-data', '?')).err, /is not base64/);
  });

  it('merges a file, and refuses other entries with the same names', async () => {
    await out('set-context', 'a', '--cluster=c', '--user=u');
    const other = 'contexts: [{name: b, context: {cluster: c, user: u}}]\ncurrent-context: b\n';
    await writeFile(path.join(directory, 'other'), other);
    const merged = `1 entries of other merged into ${path.join(directory, 'config')}.\n`;
    assert.equal(await out('merge', 'other'), merged);
    assert.equal(await out('merge', 'other'), '0 entries of other merged.\n');
    assert.equal(await out('current-context'), 'b\n');
    await writeFile(path.join(directory, 'other'), other.replace('user: u', 'user: v'));
    assert.match((await config('merge', 'other')).err, /contexts has another entry "b"/);
    assert.equal(await out('merge', 'other', '--overwrite'), merged);
  });

  it('reads several files, and writes each entry where it is', async () => {
    const env = { KUBECONFIG: 'one:two' };
    const run = (...args: string[]) => runCl(['config', ...args], { directory, env, isUsual: true });
    await writeFile(path.join(directory, 'one'), 'users: [{name: u, user: {token: t}}]\n');
    await writeFile(path.join(directory, 'two'), 'contexts: [{name: a, context: {user: u, cluster: c}}]\n');
    await run('set-context', 'a', '--namespace=n');
    await run('set-cluster', 'c', '--server=https://h');
    assert.match(await readFile(path.join(directory, 'two'), 'utf8'), /namespace: "n"/);
    assert.match(await readFile(path.join(directory, 'one'), 'utf8'), /server: https:\/\/h/);
    assert.deepEqual((await run('get-users')).out, 'NAME\nu\n');
  });

  it('keeps entries that it does not understand, and fields beside those that it changes', async () => {
    const odd = ['{name: 123, context: {cluster: x}}', '{name: a, note: kept, context: {cluster: c}}', 'text'];
    const second = '{name: a, context: {cluster: second}}';
    await writeFile(path.join(directory, 'config'), `contexts: [${[...odd, second].join(', ')}]\n`);
    await out('set-context', 'a', '--namespace=n');
    await out('set-context', 'b');
    await out('rename-context', 'b', '0');
    const { contexts } = JSON.parse(JSON.stringify(decodePlainYaml(await contentOf('config'))?.value)) as {
      contexts: object;
    };
    assert.deepEqual(contexts, [
      { name: 123, context: { cluster: 'x' } },
      'text',
      { name: '0', context: { cluster: '', user: '' } },
      { name: 'a', note: 'kept', context: { cluster: 'c', user: '', namespace: 'n' } },
      { name: 'a', context: { cluster: 'second' } },
    ]);
    await writeFile(path.join(directory, 'config'), 'contexts: {a: b}\n');
    assert.match((await config('set-context', 'a')).err, /^error: .*"contexts" must be a list/);
    assert.equal(await contentOf('config'), 'contexts: {a: b}\n');
  });

  it('prints no control characters of names', async () => {
    const name = 'a\u001b[2Jb\u009b';
    const shown = 'a\ufffd[2Jb\ufffd';
    assert.equal(await out('set-context', name, `--cluster=${name}`), `Context "${shown}" created.\n`);
    assert.equal(await out('set-cluster', name, '--server=https://h:1'), `Cluster "${shown}" set.\n`);
    assert.equal(await out('use-context', name), `Switched to context "${shown}".\n`);
    assert.equal(await out('current-context'), `${shown}\n`);
    assert.equal(await out('get-contexts', '-o', 'name'), `${shown}\n`);
    assert.equal(await out('get-clusters'), `NAME\n${shown}\n`);
    assert.doesNotMatch(await out('get-contexts'), /[^\P{Cc}\n]/u);
    assert.equal(await out('rename-context', name, `${name}c`), `Context "${shown}" renamed to "${shown}c".\n`);
    assert.match((await config('delete-context', `${name}c`)).out, /^deleted context a\ufffd\[2Jb\ufffdc from /);
  });

  it('loses no change of programs that write one file of different lists', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `c${index}`);
    await writeFile(path.join(directory, 'both'), `contexts: [${names.map((name) => `{name: ${name}}`).join(', ')}]\n`);
    await symlink('both', path.join(directory, 'link'));
    const set = (name: string, at: number): Promise<Outcome> => {
      const env = { KUBECONFIG: `own${at}:${at % 2 === 0 ? 'both' : 'link'}` };
      return runCl(['config', 'set-context', name, `--namespace=n${name}`], { directory, env, isUsual: true });
    };
    const outcomes = await Promise.all(names.map(set));
    assert.deepEqual([...new Set(outcomes.map(({ code }) => code))], [0]);
    const written = await contentOf('both');
    assert.deepEqual(
      names.filter((name) => !written.includes(`namespace: n${name}\n`)),
      [],
    );
    assert.deepEqual((await readdir(directory)).toSorted(), ['both', 'link']);
  });

  it('reports a folder that cannot be written, and a file that another program changes', async () => {
    await mkdir(path.join(directory, 'config'));
    assert.match((await config('set-context', 'a')).err, /^error: .*config cannot be read/);
    await rm(path.join(directory, 'config'), { recursive: true });
    const file = path.join(directory, 'config');
    await writeFile(`${file}.lock`, '');
    const refused = withConfigLocks([file], () => assert.fail('it is locked'), { waitMs: 1 });
    await assert.rejects(refused, /is being changed by another program/);
    const waiting = startCl(['config', 'set-context', 'a'], { directory });
    assert.equal(await waiting.interrupt(), 130);
    assert.deepEqual(await readdir(directory), ['config.lock']);
  });
});
