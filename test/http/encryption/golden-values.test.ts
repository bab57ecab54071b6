import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { decryptValue } from '../../../src/storage/encryption/decrypt-value.ts';
import { createEncryptionMetrics } from '../../../src/storage/encryption/encryption-metrics.ts';
import type { EncryptionRule } from '../../../src/storage/encryption/encryption-rule.ts';
import { createKmsMetrics } from '../../../src/storage/encryption/kms/kms-metrics.ts';
import { type OpenedEncryption, openEncryption } from '../../../src/storage/encryption/open-encryption.ts';
import { type KmsPlugin, startKmsPlugin } from './kms-plugin.ts';

/** Values that kube-apiserver 1.36 stored, by their keys, in base64. */
type Golden = readonly (readonly [key: string, value: string])[];

const keys = (name: string, fill: number, length = 32) => [{ name, secret: Buffer.alloc(length, fill) }];
const plugin = { kind: 'kms', timeoutMs: 60_000, cacheSize: 10 } as const;

describe('values that kube-apiserver has encrypted', () => {
  let folder: string;
  let kms: KmsPlugin;
  let opened: OpenedEncryption;
  let golden: Golden;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'encryption-'));
    const socket = path.join(folder, 'kms.sock');
    kms = await startKmsPlugin(socket);
    golden = JSON.parse(await readFile('test/http/encryption/encrypted-values.json', 'utf8')) as Golden;
    const rules: readonly EncryptionRule[] = [
      { resources: ['configmaps'], providers: [{ kind: 'aesgcm', keys: keys('key1', 1) }] },
      { resources: ['secrets'], providers: [{ kind: 'secretbox', keys: keys('key1', 2) }] },
      { resources: ['services'], providers: [{ kind: 'aescbc', keys: keys('key1', 3) }] },
      { resources: ['podtemplates'], providers: [{ ...plugin, version: 'v2', name: 'two', socket }] },
      { resources: ['limitranges'], providers: [{ ...plugin, version: 'v1', name: 'one', socket }] },
      { resources: ['resourcequotas'], providers: [{ kind: 'aesgcm', keys: keys('key2', 4, 16) }] },
    ];
    const registry = new MetricsRegistry();
    opened = await openEncryption(rules, {
      encryptedPrefix: 'k8s:enc:',
      metrics: createEncryptionMetrics(registry),
      pluginMetrics: createKmsMetrics(registry, 'server'),
      onRecovered: () => {},
    });
  });
  after(async () => {
    opened?.close();
    await kms?.kill();
    await rm(folder, { recursive: true });
  });

  const transformersOf = (key: string) => opened.transformersOf(key.split('/')[2] ?? '') ?? [];

  it('are decrypted by each provider', async () => {
    assert.equal(golden.length, 6);
    for (const [key, value] of golden) {
      const { value: found, stale } = await decryptValue(transformersOf(key), Buffer.from(value, 'base64'), key);
      assert.match(found.toString('latin1'), /^k8s\0[^]*golden/, key);
      assert.equal(stale, false, key);
    }
  });

  it('are refused at another key by the providers that authenticate it', async () => {
    const moved = golden.filter(([key]) => !/secrets|endpoints/.test(key));
    assert.equal(moved.length, 4);
    for (const [key, value] of moved) {
      const decrypted = async () => decryptValue(transformersOf(key), Buffer.from(value, 'base64'), `${key}x`);
      await assert.rejects(decrypted, { name: 'DecryptionError' }, key);
    }
  });
});
