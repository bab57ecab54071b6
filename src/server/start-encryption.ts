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
  if (options.encryptionConfigFile === undefined) return { store, wrap: (other) => other, checks: [], close: () => {} };
  const { openServerEncryption } = await import('./encryption.ts');
  return openServerEncryption(options, options.encryptionConfigFile, store, dependencies);
}
