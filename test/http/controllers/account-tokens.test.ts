import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Client, createClient, hasReason } from '../../../src/client/index.ts';
import { startControllers } from '../../../src/controllers/manager/start-controllers.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const { configmaps, namespaces, secrets, serviceaccounts } = builtInResources('cluster');
const type = 'cluster.io/service-account-token';
const nameKey = 'cluster.io/service-account.name';

describe('controllers with the key of service accounts and accounts of their own', () => {
  let directory: string;
  let server: TestServer;
  let client: Client;
  let stop: AbortController;
  let ended: Promise<void>;
  const errors: string[] = [];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tokens-'));
    const file = join(directory, 'key.pem');
    const serviceAccountKey = encodeKey(await generateKey());
    await writeFile(file, serviceAccountKey);
    server = await startServer({ serviceAccountSigningKeyFile: file, authorizationMode: ['RBAC'] });
    client = createClient(connectionTo(server));
    stop = new AbortController();
    ({ ended } = startControllers(
      {
        settings: connectionTo(server),
        identifiers: identifiersOf('cluster'),
        options: { 'use-service-account-credentials': true },
        serviceAccountKey,
        onError: (error, source) =>
          errors.push(`${Object.values(source).join()}: ${error instanceof Error ? error.message : String(error)}`),
      },
      stop.signal,
    ));
  });
  after(async () => {
    stop.abort();
    await ended;
    await client.close();
    await server.stop();
    await rm(directory, { recursive: true });
  });

  const textIn = (data: Record<string, string> | undefined, key: string) =>
    Buffer.from(data?.[key] ?? '', 'base64').toString();
  const isGone = (request: Promise<unknown>): Promise<boolean> =>
    request.then(
      () => false,
      (error: unknown) => hasReason(error, 'NotFound'),
    );
  const tokenOf = async (name: string, namespace = 'default') => {
    let data: Record<string, string> | undefined;
    await until(`the token in ${name}`, async () => {
      ({ data } = await client.resource(secrets).get(name, { namespace }));
      return data?.['token'] !== undefined;
    });
    assert.equal(textIn(data, 'namespace'), namespace);
    assert.equal(textIn(data, 'ca.crt'), server.ca);
    return textIn(data, 'token');
  };
  const whoIs = async (token: string) => {
    const response = await fetchAs(token);
    return response.status?.user?.username;
  };
  const fetchAs = (token: string) =>
    client
      .resource(builtInResources('cluster').tokenreviews)
      .create({ apiVersion: 'authentication.cl.io/v1', kind: 'TokenReview', spec: { token } });

  it('keep a Secret with a token for each account, until the account is deleted', async () => {
    await client.resource(serviceaccounts).create({ metadata: { name: 'robot' } });
    let name = '';
    await until('the reference', async () => {
      const account = await client.resource(serviceaccounts).get('robot');
      name = account.secrets?.[0]?.name ?? '';
      return name !== '';
    });
    assert.match(name, /^robot-token-[a-z0-9]{5}$/);
    assert.equal(await whoIs(await tokenOf(name)), 'system:serviceaccount:default:robot');
    await client.resource(secrets).delete(name);
    await until('another token', async () => {
      const { secrets: references = [] } = await client.resource(serviceaccounts).get('robot');
      return references.length === 1 && references[0]?.name !== name;
    });
    const { secrets: references = [] } = await client.resource(serviceaccounts).get('robot');
    await client.resource(serviceaccounts).delete('robot');
    await until('the Secret to go', () => isGone(client.resource(secrets).get(references[0]?.name ?? '')));
  });

  it('keep the names of Secrets that an account had before they exist', async () => {
    const named = [{ name: 'early-token-abcde' }];
    await client.resource(serviceaccounts).create({ metadata: { name: 'early' }, secrets: named });
    const references = async () =>
      ((await client.resource(serviceaccounts).get('early')).secrets ?? []).map(({ name }) => name ?? '');
    await until('a token', async () => (await references()).length === 2);
    const [first, second = ''] = await references();
    assert.equal(first, 'early-token-abcde');
    await client.resource(secrets).delete(second);
    await until(
      'another token',
      async () => (await references()).length === 2 && !(await references()).includes(second),
    );
    assert.equal((await references())[0], 'early-token-abcde');
  });

  it('fill Secrets whose annotation names an account, and delete those without one', async () => {
    const metadata = (name: string, account: string) => ({ name, annotations: { [nameKey]: account } });
    await until('the default account', async () => !(await isGone(client.resource(serviceaccounts).get('default'))));
    await client.resource(secrets).create({ metadata: metadata('extra', 'default'), type });
    await client.resource(secrets).create({ metadata: metadata('lost', 'nobody'), type });
    assert.equal(await whoIs(await tokenOf('extra')), 'system:serviceaccount:default:default');
    await until('the lost one to go', () => isGone(client.resource(secrets).get('lost')));
  });

  it('have the rights that they need, and no error', async () => {
    await client.resource(namespaces).create({ metadata: { name: 'short' } });
    const owner = await client.resource(configmaps).create({ metadata: { name: 'a' } }, { namespace: 'short' });
    const { uid = '' } = owner.metadata ?? {};
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid }];
    await client.resource(configmaps).create({ metadata: { name: 'b', ownerReferences } }, { namespace: 'short' });
    await client.resource(configmaps).delete('a', { namespace: 'short' });
    await until('b to be collected', () => isGone(client.resource(configmaps).get('b', { namespace: 'short' })));
    await client.resource(namespaces).delete('short');
    await until('the namespace to go', () => isGone(client.resource(namespaces).get('short')));
    const accounts = await client.resource(serviceaccounts).list({ namespace: 'cl-system' });
    const names = new Set(accounts.items.map(({ metadata }) => metadata?.name));
    assert.ok(names.has('namespace-controller') && names.has('generic-garbage-collector'));
    assert.deepEqual(
      errors.filter((text) => /forbidden|unauthorized/i.test(text)),
      [],
    );
  });
});
