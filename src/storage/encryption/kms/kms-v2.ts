import { randomUUID } from 'node:crypto';
import { andThen } from '../../../async/maybe-promise.ts';
import { KeyManagementService } from '../../../gen/kms/v2/kms_pb.ts';
import { EncryptedDekSourceType } from '../../../gen/storage/v1/encrypted_object_pb.ts';
import { openGcm } from '../ciphers/seal-gcm.ts';
import { DecryptionError, type Transformer, type TransformerName } from '../ciphers/transformer.ts';
import type { DataKeys } from './data-keys.ts';
import { decodeEncryptedObject, encodeEncryptedObject, type EncryptedSource } from './encrypted-object.ts';
import type { KmsV2Plugin } from './kms-v2-plugin.ts';
import type { PluginConnection } from './plugin-connection.ts';
import { openWithSeed, sealWithSeed } from './seed-cipher.ts';

/** The plugin and the cached seeds. */
interface KmsV2Dependencies {
  readonly plugin: KmsV2Plugin;
  readonly connection: PluginConnection;
  readonly seeds: DataKeys;
  /** Called with the ID of the plugin's key that encrypts or has encrypted a value. */
  readonly onKeyId: (direction: 'from_storage' | 'to_storage', keyId: string) => void;
}

/** The key lengths of AES. */
const keyLengths: ReadonlySet<number> = new Set([16, 24, 32]);
const shortestSeed = 32;

/**
 * Encrypts values with version 2 of key management: a seed, which the plugin encrypts, is shared by
 * the values of a server, and each value has a key derived from it.
 */
export function kmsV2(name: TransformerName, { plugin, connection, seeds, onKeyId }: KmsV2Dependencies): Transformer {
  const { prefix } = name;
  const decrypted = async (source: EncryptedSource): Promise<Buffer> => {
    const { encryptedDekSource: ciphertext, keyId, annotations } = source;
    const request = { ciphertext, keyId, annotations, uid: randomUUID() };
    return Buffer.from((await connection.call(KeyManagementService.method.decrypt, request)).plaintext);
  };
  return {
    ...name,
    encrypt(value, key) {
      const { seed, source } = plugin.writeSeed();
      seeds.set(cacheKeyOf(source), seed);
      onKeyId('to_storage', source.keyId);
      return Buffer.concat([prefix, encodeEncryptedObject(source, sealWithSeed(seed, value, key))]);
    },
    decrypt(stored, key) {
      const object = decodeEncryptedObject(stored.subarray(prefix.length));
      const secret = seeds.get(cacheKeyOf(object), () => decrypted(object));
      return andThen(secret, (found) => {
        const value = open(object.encryptedDekSourceType, found, Buffer.from(object.encryptedData), key);
        onKeyId('from_storage', object.keyId);
        return { value, stale: isStale(object, plugin.current?.source) };
      });
    },
  };
}

/** Encrypts and decrypts a text with the plugin. Throws Unavailable or DecryptionError. */
export async function checkKmsV2(connection: PluginConnection): Promise<void> {
  const { encrypt, decrypt } = KeyManagementService.method;
  const { ciphertext, keyId, annotations } = await connection.call(encrypt, {
    plaintext: Buffer.from('ping'),
    uid: randomUUID(),
  });
  await connection.call(decrypt, { ciphertext, keyId, annotations, uid: randomUUID() });
}

function open(type: EncryptedDekSourceType, secret: Buffer, sealed: Buffer, key: string): Buffer {
  if (type === EncryptedDekSourceType.AES_GCM_KEY) {
    if (!keyLengths.has(secret.length)) throw new DecryptionError('its key has a wrong length');
    return openGcm(sealed, secret, key);
  }
  if (secret.length < shortestSeed) throw new DecryptionError('its seed is too short');
  return openWithSeed(secret, sealed, key);
}

/** True if a value would now be encrypted with another key or in another way. */
function isStale(source: EncryptedSource, current: EncryptedSource | undefined): boolean {
  if (!current) return false;
  return source.keyId !== current.keyId || source.encryptedDekSourceType !== current.encryptedDekSourceType;
}

function cacheKeyOf({ encryptedDekSource, keyId, annotations, encryptedDekSourceType }: EncryptedSource): string {
  const parts = Object.entries(annotations).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  parts.sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return JSON.stringify([encryptedDekSourceType, Buffer.from(encryptedDekSource).toString('base64'), keyId, parts]);
}
