import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { certificateRequest } from '../minimal-objects.ts';
import { type Outcome, runCl, writeConfig } from './cl-runner.ts';

describe('cl with credentials', () => {
  let server: TestServer;
  let directory: string;
  before(async () => {
    server = await startServer();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-access-'));
    await writeConfig(directory, server.clientConfig);
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  const cl = (...args: string[]): Promise<Outcome> => runCl(args, { directory });

  it('creates, lists and deletes bootstrap tokens, which are users', async () => {
    const created = await cl('bootstrap', 'token', 'create', '--description=for a node', '--ttl=1h');
    assert.deepEqual([created.code, created.err], [0, '']);
    const token = created.out.trim();
    assert.match(token, /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    const { out } = await cl('bootstrap', 'token', 'list');
    assert.match(out, new RegExp(`^TOKEN.*\n${token} +\\d+m +\\S+Z +authentication,signing +for a node +<none>\n$`));
    const id = token.slice(0, 6);
    assert.equal((await cl('bootstrap', 'token', 'delete', id)).out, `bootstrap token "${id}" deleted\n`);
    assert.match((await cl('bootstrap', 'token', 'delete', id)).err, /there is no bootstrap token/);
    assert.match((await cl('bootstrap', 'token', 'create', 'x')).err, /not of the form/);
    assert.match((await cl('bootstrap', 'token', 'create', '--usages=x')).err, /"x" is not a usage/);
  });

  it('decides about certificate requests, of files too, and goes on after a refused one', async () => {
    for (const name of ['a', 'b', 'c']) {
      const spec = { signerName: 'example.com/any', usages: ['client auth'], request: certificateRequest() };
      const at = '/apis/certificates.cl.io/v1/certificatesigningrequests';
      const created = await request(server, 'POST', at, { metadata: { name }, spec });
      assert.equal(created.status, 201, created.text);
    }
    const type = 'certificatesigningrequest.certificates.cl.io';
    const waits = await cl('why', 'csr', 'a');
    assert.match(waits.out, /- It waits for approval: .*\n {2}next: cl describe csr a, then cl certificate approve a,/);
    const some = await cl('certificate', 'approve', 'none', 'a');
    assert.deepEqual([some.code, some.out], [1, `${type}/a approved\n`]);
    assert.equal((await cl('certificate', 'approve', 'a', '-o', 'name')).out, `${type}/a\n`);
    assert.match((await cl('why', 'csr', 'a')).out, /- It is approved, but its signer example\.com\/any has issued/);
    assert.match((await cl('certificate', 'deny', 'a')).err, /request "a" is already Approved/);
    const file = 'apiVersion: certificates.cl.io/v1\nkind: CertificateSigningRequest\nmetadata: {name: b}\n';
    await writeFile(path.join(directory, 'request.yaml'), file);
    assert.equal((await cl('certificate', 'deny', '-f', 'request.yaml')).out, `${type}/b denied\n`);
    assert.match((await cl('certificate', 'approve')).err, /must be specified as NAME or -f FILE/);
  });

  it('needs no entry of the client config beside the flags of a connection', async () => {
    await writeFile(path.join(directory, 'empty'), '');
    const flags = [`--server=${server.url}`, `--token=${server.token}`, '--insecure-skip-tls-verify'];
    const named = (file: string) =>
      runCl([`--kubeconfig=${file}`, ...flags, 'auth', 'whoami', '-o', 'name'], { directory, isUsual: true });
    for (const file of ['empty', '/dev/null']) assert.equal((await named(file)).code, 0, (await named(file)).err);
    assert.match((await named('none')).err, /^error: cannot read \S+none: it does not exist\n$/);
    const context = await runCl(['--kubeconfig=empty', ...flags, '--context=a', 'auth', 'whoami'], {
      directory,
      isUsual: true,
    });
    assert.match(context.err, /context "a" does not exist/);
  });

  it('prints the user in every format', async () => {
    const template = '{.status.userInfo.username}';
    const [plain, json] = [await cl('auth', 'whoami'), await cl('auth', 'whoami', '-o', `jsonpath=${template}`)];
    assert.match(plain.out, new RegExp(`^ATTRIBUTE +VALUE\nUsername +${json.out}\n`));
  });

  it('uses the program that prints credentials', async () => {
    const program = path.join(directory, 'login');
    const printed = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: server.token },
    };
    await writeFile(program, `#!/bin/sh\necho '${JSON.stringify(printed)}'\n`);
    await chmod(program, 0o755);
    const env = { KUBECONFIG: 'made' };
    const made = (...args: string[]): Promise<Outcome> => runCl(args, { directory, env, isUsual: true });
    await writeFile(path.join(directory, 'ca.crt'), server.ca);
    await made(
      'config',
      'set-cluster',
      'c',
      `--server=${server.url}`,
      '--certificate-authority=ca.crt',
      '--embed-certs',
    );
    await made('config', 'set-credentials', 'u', `--exec-command=${program}`);
    await made('config', 'set-context', 'a', '--cluster=c', '--user=u');
    await made('config', 'use-context', 'a');
    const { code, out, err } = await made('get', 'namespaces', '-o', 'name');
    assert.deepEqual([code, err, out.includes('namespace/default\n')], [0, '', true]);
  });
});
