import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type Client, createClient, verifyClusterInfo } from '../../../src/client/index.ts';
import { signDetached } from '../../../src/controllers/bootstrap/sign-detached.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';

const secrets = { group: '', version: 'v1', resource: 'secrets' } as const;
const configMaps = { group: '', version: 'v1', resource: 'configmaps' } as const;
const key = 'clientconfig';
const text = 'apiVersion: v1\nkind: Config\n';
const token = (id: string): string => `${id}.0123456789abcdef`;

describe('bootstrap tokens', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await startServer({ controllers: ['bootstrapsigner', 'tokencleaner'] });
    client = createClient(server.connection);
    await client.resource(configMaps).create({
      metadata: { name: 'cluster-info', namespace: 'cl-public' },
      data: { [key]: text, other: 'kept' },
    });
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const create = (id: string, more: Record<string, string> = {}) =>
    client.resource(secrets).create({
      metadata: { name: `bootstrap-token-${id}`, namespace: 'cl-system' },
      type: 'bootstrap.cluster.io/token',
      stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true', ...more },
    });
  const dataOf = async (): Promise<Record<string, string>> => {
    const { data } = await client.resource(configMaps).get('cluster-info', { namespace: 'cl-public' });
    return data as Record<string, string>;
  };
  const signers = async () =>
    Object.keys(await dataOf())
      .filter((name) => name.startsWith('jws-'))
      .join();

  it('sign the cluster info, which a client verifies with the token alone', async () => {
    await create('abcdef');
    await create('unused', { 'usage-bootstrap-signing': 'false' });
    await until('a signature', async () => (await signers()) === `jws-${key}-abcdef`);
    const data = await dataOf();
    assert.match(data[`jws-${key}-abcdef`] ?? '', /^[\w-]+\.\.[\w-]+$/);
    assert.equal(data['other'], 'kept');
    assert.equal(await verifyClusterInfo({ data, token: token('abcdef'), key }), text);
    const wrong = [
      { data: { ...data, [key]: `${text}# more` }, token: token('abcdef'), key },
      { data, token: 'abcdef.fedcba9876543210', key },
      { data, token: token('unused'), key },
    ];
    for (const options of wrong) await assert.rejects(verifyClusterInfo(options), TypeError);
  });

  it('sign with their secret alone for the clients of Kubernetes', async () => {
    const data = {
      kubeconfig: 'hello',
      // As kube-controller-manager signs it.
      'jws-kubeconfig-aaaaaa': 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImFhYWFhYSJ9..vh4yKqQb9ROYgF36oENmzq7Y4tnPm6-8JfkG7bH_PV4',
    };
    const { clusterInfoKey } = identifiersOf('kubernetes');
    const signed = await signDetached('hello', { id: 'aaaaaa', secret: '0123456789abcdef' }, clusterInfoKey);
    assert.equal(signed, data['jws-kubeconfig-aaaaaa']);
    assert.equal(await verifyClusterInfo({ data, token: token('aaaaaa'), key: 'kubeconfig' }), 'hello');
  });

  it('verify nothing without a secret, with which anyone could have signed', async () => {
    const [header = ''] = (await signDetached('evil', { id: 'aaaaaa', secret: 's' }, 'secret')).split('.');
    const signed = `${header}.${Buffer.from('evil').toString('base64url')}`;
    const forged = `${header}..${createHmac('sha256', '').update(signed).digest('base64url')}`;
    for (const given of ['aaaaaa', 'aaaaaa.']) {
      await assert.rejects(
        verifyClusterInfo({ data: { [key]: 'evil', [`jws-${key}-aaaaaa`]: forged }, token: given, key }),
        {
          message: 'a bootstrap token has the form <id>.<secret>',
        },
      );
    }
  });

  it('are deleted when they expire, and sign no longer', async () => {
    const expiration = new Date(Date.now() + 2000).toISOString().replace(/\.\d+Z$/, 'Z');
    await create('passed', { expiration });
    const exists = async () => {
      const { items } = await client.resource(secrets).list({ namespace: 'cl-system' });
      return items.some(({ metadata }) => metadata?.name === 'bootstrap-token-passed');
    };
    await until('the token to be deleted', async () => !(await exists()));
    await until('its signature to be gone', async () => (await signers()) === `jws-${key}-abcdef`);
  });
});
