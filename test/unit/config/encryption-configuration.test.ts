import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ApiRelease } from '../../../src/scheme/api-release.ts';
import { encryptionReader } from '../../../src/config/encryption-configuration.ts';

const secret = (length: number): string => Buffer.alloc(length, 7).toString('base64');
const aes = (name = 'one', length = 32) => ({ aesgcm: { keys: [{ name, secret: secret(length) }] } });
const kms = (fields: object = {}) => ({ kms: { apiVersion: 'v2', name: 'p', endpoint: 'unix:///p.sock', ...fields } });
const inRelease = (emulatedRelease: ApiRelease = '1.23', ...featureGates: readonly string[]) =>
  ({ identifiers: 'kubernetes', emulatedRelease, featureGates, emulationForwardCompatible: false }) as const;
const of = (resources: readonly string[], ...providers: readonly object[]) => ({ resources, providers });

describe('an EncryptionConfiguration', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'encryption-'))));
  after(() => rm(folder, { recursive: true }));

  const read = async (content: object, head: object = {}) => {
    const file = path.join(folder, 'encryption.yaml');
    const all = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', ...head, ...content };
    await writeFile(file, JSON.stringify(all));
    return await encryptionReader(file, inRelease())();
  };
  const rules = (...resources: readonly object[]) => ({ resources });

  it('names providers by resource, in order', async () => {
    const { rules: found } = await read(
      rules(
        of(['secrets', 'widgets.example.com'], aes('b', 16), aes('a', 24), kms({ timeout: '1m2s' }), { identity: {} }),
        of(['*.*'], kms({ apiVersion: 'v1', name: 'q', endpoint: 'unix:///@q', cachesize: -1 })),
      ),
    );
    const [first, second] = found;
    assert.deepEqual(first?.resources, ['secrets', 'widgets.example.com']);
    assert.deepEqual(
      first.providers.map((one) =>
        'keys' in one ? one.keys.map(({ name, secret: { length } }) => [name, length]) : one,
      ),
      [
        [['b', 16]],
        [['a', 24]],
        { kind: 'kms', version: 'v2', name: 'p', socket: '/p.sock', timeoutMs: 62_000, cacheSize: 1000 },
        { kind: 'identity' },
      ],
    );
    assert.deepEqual(second?.providers, [
      { kind: 'kms', version: 'v1', name: 'q', socket: '\0q', timeoutMs: 3_000, cacheSize: 0 },
    ]);
  });

  const refusals: readonly (readonly [what: string, content: object, message: RegExp])[] = [
    ['no rules', rules(), /resources: Required value: at least one resources is required/],
    ['an unknown field', { ...rules(of(['secrets'], aes())), other: 1 }, /other: Forbidden: unknown field/],
    ['no resources', rules(of([], aes())), /resources\[0\]\.resources: Required value/],
    ['no providers', rules(of(['secrets'])), /resources\[0\]\.providers: Required value/],
    ['an empty provider', rules(of(['secrets'], {})), /provider does not contain any of the expected providers/],
    ['two providers in one', rules(of(['secrets'], { ...aes(), identity: {} })), /more than one provider specified/],
    ['capitals', rules(of(['Secrets'], aes())), /resource name should not contain capital letters/],
    ['a lonely star', rules(of(['*'], aes())), /use '\*\.' to encrypt all the resources from core API group/],
    ['a resource of all groups', rules(of(['secrets.*'], aes())), /encrypting the same resource across groups/],
    ['the group of Events', rules(of(['events.events.k8s.io'], aes())), /Use 'events' instead/],
    ['a removed group', rules(of(['ingresses.extensions'], aes())), /'extensions' group has been removed/],
    ['what is no resource', rules(of(['serviceipallocations'], aes())), /do not have REST API/],
    ['a resource twice', rules(of(['secrets', 'secrets'], aes())), /cannot be specified multiple times/],
    ['a pattern beside its resource', rules(of(['secrets', '*.'], aes())), /using overlapping resources/],
    [
      'a resource after its pattern',
      rules(of(['*.apps'], aes()), of(['deployments.apps'], aes())),
      /resource "deployments\.apps" is masked by earlier rule "\*\.apps"/,
    ],
    ['no keys', rules(of(['secrets'], { aescbc: { keys: [] } })), /aescbc\.keys: Required value: at least one keys/],
    ['a short key', rules(of(['secrets'], aes('one', 15))), /got 15, expected one of \[16 24 32\]/],
    [
      'a key that is not base64',
      rules(of(['secrets'], { secretbox: { keys: [{ name: 'one', secret: 'p@ssword' }] } })),
      /secretbox\.keys\[0\]\.secret: Invalid value: "REDACTED": secrets must be base64 encoded/,
    ],
    ['a nameless key', rules(of(['secrets'], aes(''))), /name is a mandatory field for a key/],
    [
      'a plugin on the network',
      rules(of(['secrets'], kms({ endpoint: 'tcp://127.0.0.1:1' }))),
      /only unix is supported/,
    ],
    ['a plugin without a name', rules(of(['secrets'], kms({ name: '' }))), /name is a mandatory field for a provider/],
    ['a colon in a name', rules(of(['secrets'], kms({ name: 'a:b' }))), /must not contain ':'/],
    ['two plugins of a name', rules(of(['secrets'], kms(), kms())), /kms\.name: Duplicate value: "p"/],
    ['a cache of version 2', rules(of(['secrets'], kms({ cachesize: 5 }))), /cachesize is not supported in v2/],
    ['no time', rules(of(['secrets'], kms({ timeout: '0s' }))), /timeout should be a positive value/],
    ['another version', rules(of(['secrets'], kms({ apiVersion: 'v3' }))), /only v1 and v2 are supported/],
  ];
  for (const [what, content, message] of refusals) {
    it(`is refused with ${what}`, async () => {
      await assert.rejects(read(content), (error: Error) => {
        assert.match(error.message, message);
        assert.match(error.message, /--encryption-provider-config/);
        assert.doesNotMatch(error.message, /p@ssword|BwcHBwcH/);
        return true;
      });
    });
  }

  const gated: readonly (readonly [
    version: string,
    release: ApiRelease,
    gates: readonly string[],
    refusal?: RegExp,
  ])[] = [
    ['v1', '1.23', []],
    ['v1', '1.28', []],
    [
      'v1',
      '1.28',
      ['KMSv1=false'],
      /^Error: .*KMSv1 is deprecated and will only receive security updates going forward/,
    ],
    ['v1', '1.29', [], /Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature\.$/],
    ['v1', '1.36', ['KMSv1=true']],
    ['v2', '1.23', []],
    ['v2', '1.25', [], /could not configure KMSv2 plugin "p", KMSv2 feature is not enabled$/],
    ['v2', '1.25', ['KMSv2=true']],
    ['v2', '1.27', []],
    ['v2', '1.36', []],
  ];
  for (const [apiVersion, release, gates, refusal] of gated) {
    const how = [release, ...gates].join(' with ');
    it(`${refusal ? 'is refused with' : 'may name'} a plugin of ${apiVersion} in ${how}`, async () => {
      const file = path.join(folder, 'gated.yaml');
      const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
      await writeFile(file, JSON.stringify({ ...head, ...rules(of(['secrets'], kms({ apiVersion }))) }));
      const reading = encryptionReader(file, inRelease(release, ...gates))();
      if (refusal) await assert.rejects(reading, refusal);
      else assert.equal((await reading).rules.length, 1);
    });
  }

  it('is refused with broken YAML without quoting it, because it may be a key', async () => {
    const file = path.join(folder, 'broken.yaml');
    await writeFile(file, `a: b\nsecret: |${secret(32)}\n`);
    await assert.rejects(encryptionReader(file, inRelease())(), (error: Error) => {
      assert.match(error.message, /not valid YAML: UNEXPECTED_TOKEN at line 2, column 10$/);
      return true;
    });
  });
});
