import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { builtInResources, type Client, createClient, hasReason } from '../../../src/client/index.ts';
import { startServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false } as const;
const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;

const { certificatesigningrequests, secrets } = builtInResources('cluster');

const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

describe('controllers in the process of a server', () => {
  it('run when they are asked for, and end with the server', async () => {
    const server = await startServer({ controllers: true });
    const client = createClient(connectionTo(server));
    const created = await client.resource(pods).create(pod);
    assert.deepEqual((created['spec'] as { serviceAccountName: string }).serviceAccountName, 'default');
    await client.resource(namespaces).create({ metadata: { name: 'other' } });
    await client.resource(pods).create(pod, { namespace: 'other' });
    await client.resource(accounts).delete('default', { namespace: 'other' });
    await until('another default account', async () => {
      const { items } = await client.resource(accounts).list({ namespace: 'other' });
      return items.length === 1;
    });
    await client.close();
    await server.stop();
  });

  it('do not run by default, so that Pods need no account', async () => {
    await using server = await startServer();
    const client = createClient(connectionTo(server));
    await client.resource(pods).create(pod);
    assert.deepEqual((await client.resource(accounts).list()).items, []);
    await client.close();
  });

  it('are selected as by --controllers', async () => {
    await using server = await startServer({ controllers: ['*', '-serviceaccount-controller'] });
    const client = createClient(connectionTo(server));
    await client.resource(pods).create(pod);
    await assert.rejects(client.resource(accounts).get('default'), (error) => hasReason(error, 'NotFound'));
    await client.close();
    await assert.rejects(startServer({ controllers: ['nobody'] }), /"nobody" is not in the list of known controllers/);
  });

  it('sign approved certificates with a CA that the server trusts, and keep the tokens in Secrets', async () => {
    const controllerOptions = { 'cluster-signing-duration': 3_600_000 };
    await using server = await startServer({ controllers: true, controllerOptions });
    const directory = await mkdtemp(path.join(tmpdir(), 'cl-ways-in-'));
    const [keyFile, requestFile] = ['key', 'csr'].map((name) => path.join(directory, name)) as [string, string];
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
    await promisify(execFile)('openssl', ['req', '-new', ...made, '-subj', '/CN=ann', '-out', requestFile]);
    const client = createClient(connectionTo(server));
    const requests = client.resource(certificatesigningrequests);
    const request = await requests.create({
      metadata: { name: 'ann' },
      spec: {
        request: (await readFile(requestFile)).toString('base64'),
        signerName: 'cluster.io/cl-apiserver-client',
        usages: ['client auth'],
      },
    });
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: '' }];
    await requests.update({ ...request, status: { conditions } }, { subresource: 'approval' });
    const certificate = async () => (await requests.get('ann')).status?.certificate ?? '';
    await until('the certificate', async () => (await certificate()) !== '');
    const cert = Buffer.from(await certificate(), 'base64').toString();
    const { validTo } = new X509Certificate(cert);
    assert.ok(Date.parse(validTo) - Date.now() <= 3_600_000, validTo);
    const { token: _, ...settings } = connectionTo(server);
    const ann = createClient({ ...settings, cert, key: await readFile(keyFile, 'utf8') });
    assert.equal((await whoAmI(ann))?.username, 'ann');

    const annotations = { 'cluster.io/service-account.name': 'default' };
    const secret = { metadata: { name: 'of-default', annotations }, type: 'cluster.io/service-account-token' };
    await client.resource(secrets).create(secret);
    const data = async () => (await client.resource(secrets).get('of-default')).data ?? {};
    await until('the token', async () => (await data())['token'] !== undefined);
    const token = Buffer.from((await data())['token'] ?? '', 'base64').toString();
    const account = createClient({ ...settings, token });
    assert.equal((await whoAmI(account))?.username, 'system:serviceaccount:default:default');
    await Promise.all([client.close(), ann.close(), account.close()]);
    await rm(directory, { recursive: true });
  });
});

async function whoAmI(client: Client) {
  const { selfsubjectreviews } = builtInResources('cluster');
  const { status } = await client.resource(selfsubjectreviews).create({});
  return status?.userInfo;
}
