import type { ServerOptions } from '../config/server-options.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';
import type { EncryptionDependencies, ServerEncryption } from './encryption.ts';

/**
 * Opens the encryption of a server's store. Servers that encrypt nothing load no part of it, not
 * after their start either: with the clients of key management it takes megabytes.
 */
export async function startEncryption(
  options: ServerOptions,
  store: ObjectStore,
  dependencies: EncryptionDependencies,
): Promise<ServerEncryption> {
  const { encryptionConfigFile: file } = options;
  if (file === undefined) return { store, wrap: (other) => other, checks: [], onReplaced: () => {}, close: () => {} };
  const { openServerEncryption } = await import('./encryption.ts');
  return openServerEncryption(options, file, store, dependencies);
}
