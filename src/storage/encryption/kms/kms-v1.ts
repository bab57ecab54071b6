import { andThen } from '../../../async/maybe-promise.ts';
import { KeyManagementService } from '../../../gen/kms/v1beta1/kms_pb.ts';
import { openCbc } from '../ciphers/aes-cbc.ts';
import { fillRandom } from '../ciphers/random-bytes.ts';
import { openGcm, sealGcm } from '../ciphers/seal-gcm.ts';
import { DecryptionError, type PlainValue, type Transformer, type TransformerName } from '../ciphers/transformer.ts';
import type { DataKeys } from './data-keys.ts';
import type { PluginConnection } from './plugin-connection.ts';

const version = 'v1beta1';
const keyBytes = 32;
const lengthBytes = 2;

/** The options of a version 1 plugin. */
interface KmsV1Options {
  readonly connection: PluginConnection;
  readonly keys: DataKeys;
}

/**
 * Encrypts values with version 1 of key management: each value has a data key, which the plugin
 * encrypts and which is stored before the value. Values are encrypted with AES-GCM, or AES-CBC
 * before release 1.25.
 */
export function kmsV1(name: TransformerName, { connection, keys }: KmsV1Options): Transformer {
  const { encrypt, decrypt } = KeyManagementService.method;
  const { prefix } = name;
  const decrypted = async (cipher: Buffer): Promise<Buffer> =>
    Buffer.from((await connection.call(decrypt, { version, cipher })).plain);
  return {
    ...name,
    async encrypt(value, key) {
      const secret = Buffer.alloc(keyBytes);
      fillRandom(secret, 0, keyBytes);
      const { cipher } = await connection.call(encrypt, { version, plain: secret });
      keys.set(Buffer.from(cipher).toString('latin1'), secret);
      const front = Buffer.concat([prefix, Buffer.alloc(lengthBytes), cipher]);
      front.writeUInt16BE(cipher.length, prefix.length);
      return sealGcm(front, secret, value, key);
    },
    decrypt(stored, key) {
      const { cipher, sealed } = partsOf(stored.subarray(prefix.length));
      const secret = keys.get(cipher.toString('latin1'), () => decrypted(cipher));
      return andThen(secret, (found) => opened(sealed, found, key));
    },
  };
}

/**
 * Encrypts and decrypts a test value with the plugin. Throws Unavailable or DecryptionError if it
 * fails.
 */
export async function checkKmsV1(connection: PluginConnection): Promise<void> {
  const { encrypt, decrypt } = KeyManagementService.method;
  const { cipher } = await connection.call(encrypt, { version, plain: Buffer.from('ping') });
  await connection.call(decrypt, { version, cipher });
}

function partsOf(bytes: Buffer): { readonly cipher: Buffer; readonly sealed: Buffer } {
  const end = lengthBytes + (bytes.length < lengthBytes ? 0 : bytes.readUInt16BE(0));
  if (bytes.length <= end) throw new DecryptionError('it is too short for its encrypted key');
  return { cipher: bytes.subarray(lengthBytes, end), sealed: bytes.subarray(end) };
}

function opened(sealed: Buffer, secret: Buffer, key: string): PlainValue {
  try {
    return { value: openGcm(sealed, secret, key), stale: false };
  } catch {
    return { value: openCbc(sealed, secret), stale: true };
  }
}
