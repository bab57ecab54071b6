import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { EncryptedDekSourceType, EncryptedObjectSchema } from '../../../gen/storage/v1/encrypted_object_pb.ts';
import type { EncryptedObject } from '../../../gen/storage/v1/encrypted_object_pb.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { DecryptionError } from '../ciphers/transformer.ts';

/** An encrypted seed or data key, with the information by which the plugin finds its own key. */
export type EncryptedSource = Pick<
  EncryptedObject,
  'encryptedDekSource' | 'keyId' | 'annotations' | 'encryptedDekSourceType'
>;

const knownTypes: readonly number[] = Object.values(EncryptedDekSourceType);
const longestId = 1024;
const longestSource = 1024;
const longestAnnotations = 32 * 1024;

/** Decodes the bytes of a value after its prefix. Throws DecryptionError. */
export function decodeEncryptedObject(bytes: Uint8Array): EncryptedObject {
  const object = decoded(bytes);
  const problem = object.encryptedData.length === 0 ? 'it has no data' : sourceProblem(object);
  if (problem) throw new DecryptionError(problem);
  return object;
}

function decoded(bytes: Uint8Array): EncryptedObject {
  try {
    return fromBinary(EncryptedObjectSchema, bytes);
  } catch (cause) {
    throw new DecryptionError('it is no message of a key management plugin', { cause });
  }
}

/** Encodes an encrypted value with its source, as it is stored after the prefix. */
export function encodeEncryptedObject(source: EncryptedSource, encryptedData: Uint8Array): Uint8Array {
  return toBinary(EncryptedObjectSchema, create(EncryptedObjectSchema, { ...source, encryptedData }));
}

/** The reason why a source cannot be stored; undefined if it can. */
export function sourceProblem(source: EncryptedSource): string | undefined {
  const { encryptedDekSource, annotations, encryptedDekSourceType: type } = source;
  if (!knownTypes.includes(type)) return `the type ${type} of its key is unknown`;
  if (encryptedDekSource.length === 0) return 'its encrypted key is empty';
  if (encryptedDekSource.length > longestSource) return `its encrypted key is longer than ${longestSource} bytes`;
  return keyIdProblem(source.keyId) ?? annotationsProblem(annotations);
}

/** The reason why a key ID of a plugin is invalid; undefined if it is valid. */
export function keyIdProblem(keyId: string): string | undefined {
  if (keyId === '') return 'the id of the key is empty';
  return Buffer.byteLength(keyId) > longestId ? `the id of the key is longer than ${longestId} bytes` : undefined;
}

function annotationsProblem(annotations: EncryptedObject['annotations']): string | undefined {
  const entries = Object.entries(annotations);
  const badName = entries.find(([name]) => !name.includes('.') || validateDnsSubdomain(name).length > 0)?.[0];
  if (badName !== undefined) return `the annotation ${JSON.stringify(badName)} is not a domain name`;
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + value.length, 0);
  return bytes > longestAnnotations ? `the annotations have more than ${longestAnnotations} bytes` : undefined;
}
