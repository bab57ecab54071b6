import assert from 'node:assert/strict';
import { request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { serviceAccountWorld, type ServiceAccountWorld, signed } from './service-account-world.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const lastUsed = 'kubernetes.io/legacy-token-last-used';
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';
const merge = { 'content-type': 'application/merge-patch+json' };
const today = (): string => new Date().toISOString().slice(0, 10);

/** A token in a Secret of the name. */
async function legacyToken(world: ServiceAccountWorld, name: string): Promise<string> {
  const account = `${name}-account`;
  const uid = await world.create('serviceaccounts', { metadata: { name: account }, secrets: [{ name: 'listed' }] });
  const at = 'kubernetes.io/serviceaccount';
  const token = await signed(
    {
      iss: 'kubernetes/serviceaccount',
      sub: `system:serviceaccount:default:${account}`,
      [`${at}/namespace`]: 'default',
      [`${at}/secret.name`]: name,
      [`${at}/service-account.name`]: account,
      [`${at}/service-account.uid`]: uid,
    },
    world.key,
  );
  const annotations = { 'kubernetes.io/service-account.name': account, 'kubernetes.io/service-account.uid': uid };
  const type = 'kubernetes.io/service-account-token';
  await world.create('secrets', { metadata: { name, annotations }, type, stringData: { token } });
  return token;
}

async function labelsOf({ server }: ServiceAccountWorld, name: string): Promise<Record<string, string>> {
  const { body } = await request(server, 'GET', `${secrets}/${name}`);
  return (body as { metadata: { labels?: Record<string, string> } }).metadata.labels ?? {};
}

describe('the use of tokens in Secrets', () => {
  let world: ServiceAccountWorld;
  before(async () => (world = await serviceAccountWorld({ identifiers: 'kubernetes', emulatedRelease: '1.36' })));
  after(() => world.stop());

  const ask = (token: string) =>
    request(world.server, 'GET', '/api/v1/namespaces', undefined, { authorization: `Bearer ${token}` });
  const label = (name: string, labels: Record<string, string | null>) =>
    request(world.server, 'PATCH', `${secrets}/${name}`, { metadata: { labels } }, merge);
  const versionOf = async (name: string): Promise<unknown> =>
    ((await request(world.server, 'GET', `${secrets}/${name}`)).body as { metadata: { resourceVersion: string } })
      .metadata.resourceVersion;

  it('is recorded in a label once a day, before the answer', async () => {
    const token = await legacyToken(world, 'manual');
    const [{ status, headers }] = await Promise.all([ask(token), ask(token), ask(token)]);
    assert.equal(status, 200);
    assert.equal(headers['warning'], undefined);
    assert.deepEqual(await labelsOf(world, 'manual'), { [lastUsed]: today() });
    const version = await versionOf('manual');
    await ask(token);
    assert.equal(await versionOf('manual'), version);
    await label('manual', { [lastUsed]: '2001-02-03', mine: 'x' });
    await until('the new day is recorded', async () => {
      await ask(token);
      return (await labelsOf(world, 'manual'))[lastUsed] === today();
    });
    assert.equal((await labelsOf(world, 'manual'))['mine'], 'x');
  });

  it('warns if the account lists the Secret, which a controller made', async () => {
    const { headers } = await ask(await legacyToken(world, 'listed'));
    assert.match(String(headers['warning']), /^299 - "Use tokens from the TokenRequest API or manually created/);
    assert.deepEqual(await labelsOf(world, 'listed'), { [lastUsed]: today() });
  });

  it('is refused and recorded while a label says that the token is invalid', async () => {
    const token = await legacyToken(world, 'marked');
    await label('marked', { [invalidSince]: '2020-01-01' });
    assert.equal((await ask(token)).status, 401);
    assert.equal((await labelsOf(world, 'marked'))[lastUsed], today());
    const { error } = await world.review(token);
    assert.match(String(error), /secret default\/marked of the token is marked as invalid since 2020-01-01/);
    await label('marked', { [invalidSince]: null });
    await until('the token is valid again', async () => (await ask(token)).status === 200);
    const metrics = await readMetrics(world.server);
    assert.ok((metrics.get('serviceaccount_invalid_legacy_auto_token_uses_total') ?? 0) >= 2);
    assert.equal(metrics.get('serviceaccount_legacy_auto_token_uses_total'), 1);
    assert.ok((metrics.get('serviceaccount_legacy_manual_token_uses_total') ?? 0) >= 5);
  });

  it('is not recorded in releases before the tracking', async () => {
    const old = await serviceAccountWorld({ identifiers: 'kubernetes' });
    try {
      const token = await legacyToken(old, 'listed');
      await request(old.server, 'PATCH', `${secrets}/listed`, { metadata: { labels: { [invalidSince]: 'x' } } }, merge);
      assert.equal(await old.statusOf(token), 200);
      assert.deepEqual(await labelsOf(old, 'listed'), { [invalidSince]: 'x' });
    } finally {
      await old.stop();
    }
  });
});
