import { withoutCredentials } from '../../etcd/without-credentials.ts';
import type { ObjectStore } from '../port/object-store.ts';
import type { RemoteStoreTls } from './remote-client.ts';
import { StorageError } from '../port/storage-error.ts';

/** Options of the connection to a store in another process. */
interface RemoteStoreOptions {
  readonly tls?: RemoteStoreTls;
  /** Timeout of one call including retries; 10 s by default. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 10_000;

/**
 * Connects to a store in another process that serves `ObjectStore` of
 * `proto/storage/v1/object_store.proto` at `grpc://host:port` or `grpcs://host:port`. The
 * connection is opened by the first call.
 */
export async function connectRemoteStore(endpoint: string, options: RemoteStoreOptions = {}): Promise<ObjectStore> {
  const match = /^(grpcs?):\/\/([^/@]+:\d+)\/?$/.exec(endpoint);
  if (!match) {
    throw new StorageError(
      'InvalidArgument',
      `store endpoint "${withoutCredentials(endpoint)}": must be grpc://host:port or grpcs://host:port`,
    );
  }
  const [, scheme, address = ''] = match;
  const tls = scheme === 'grpcs' ? (options.tls ?? {}) : undefined;
  // Imported on first use: other stores do not need gRPC.
  const { RemoteStore } = await import('./remote-client.ts');
  return new RemoteStore(address, tls, options.timeoutMs ?? defaultTimeoutMs);
}
