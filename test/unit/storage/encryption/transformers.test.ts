import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { aesCbc } from '../../../../src/storage/encryption/ciphers/aes-cbc.ts';
import { aesGcm } from '../../../../src/storage/encryption/ciphers/aes-gcm.ts';
import { decryptValue } from '../../../../src/storage/encryption/decrypt-value.ts';
import { identity } from '../../../../src/storage/encryption/ciphers/identity.ts';
import { secretbox } from '../../../../src/storage/encryption/ciphers/secretbox.ts';
import {
  DecryptionError,
  type PlainValue,
  type Transformer,
} from '../../../../src/storage/encryption/ciphers/transformer.ts';

const key = '/registry/secrets/default/x';
const secretOf = (fill: number, length = 32): Buffer => Buffer.alloc(length, fill);
const nameOf = (kind: string, name = 'key1') => ({
  provider: `k8s:enc:${kind}:v1:`,
  prefix: Buffer.from(`k8s:enc:${kind}:v1:${name}:`),
});
const plain = identity(Buffer.from('k8s:enc:'));

const transformers: Readonly<Record<string, (name?: string, fill?: number) => Transformer>> = {
  aesgcm: (name, fill = 1) => aesGcm(nameOf('aesgcm', name), secretOf(fill)),
  'aesgcm with a short key': (name, fill = 1) => aesGcm(nameOf('aesgcm', name), secretOf(fill, 16)),
  aescbc: (name, fill = 1) => aesCbc(nameOf('aescbc', name), secretOf(fill)),
  secretbox: (name, fill = 1) => secretbox(nameOf('secretbox', name), secretOf(fill)),
};

/** Those that notice any change. */
const authenticated = new Set(['aesgcm', 'aesgcm with a short key', 'secretbox']);

async function open(list: readonly Transformer[], stored: Buffer, at = key): Promise<PlainValue> {
  return await decryptValue(list, stored, at);
}

for (const [kind, create] of Object.entries(transformers)) {
  describe(`values encrypted by ${kind}`, () => {
    it('are decrypted to the same bytes, and encrypted differently each time', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.string(), async (value, at) => {
          const one = await create().encrypt(value, at);
          const two = await create().encrypt(value, at);
          assert.notDeepEqual(one, two);
          assert.deepEqual(await open([create()], one, at), { value: Buffer.from(value), stale: false });
        }),
      );
    });

    it('are stale unless the first key of all wrote them', async () => {
      const stored = await create('key1').encrypt(Buffer.from('v'), key);
      const other = create('key2', 2);
      assert.equal((await open([other, create('key1')], stored)).stale, true);
      assert.equal((await open([plain, create('key1')], stored)).stale, true);
      assert.equal((await open([create('key1'), other], stored)).stale, false);
      assert.equal((await open([create('key1'), plain], Buffer.from('plain'))).stale, true);
    });

    it('are refused without their key, with another of its name, and when they are cut', async () => {
      const stored = await create().encrypt(Buffer.from('a value'), key);
      await assert.rejects(open([create('key2', 2), plain], stored), DecryptionError);
      const cuts = Array.from({ length: stored.length - create().prefix.length }, (_, cut) => cut + 1);
      for (const cut of cuts) await assert.rejects(open([create()], stored.subarray(0, -cut)), DecryptionError);
      if (authenticated.has(kind)) await assert.rejects(open([create('key1', 2)], stored), DecryptionError);
    });

    if (!authenticated.has(kind)) return;

    it('are refused when a single bit changes', async () => {
      const stored = await create().encrypt(Buffer.from('a value'), key);
      for (let index = create().prefix.length; index < stored.length; index++) {
        const changed = Buffer.from(stored);
        changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
        await assert.rejects(open([create()], changed), DecryptionError);
      }
    });
  });
}

describe('values encrypted by aesgcm', () => {
  it('are refused at the key of another object', async () => {
    const stored = await aesGcm(nameOf('aesgcm'), secretOf(1)).encrypt(Buffer.from('v'), key);
    await assert.rejects(open([aesGcm(nameOf('aesgcm'), secretOf(1))], stored, `${key}y`), DecryptionError);
  });
});
