import type { Client } from '../client.ts';
import type { CallOptions } from '../resource-options.ts';
import { resourcePath } from '../resource-path.ts';

/** The part of a log that is read. */
export interface LogOptions extends CallOptions {
  /** The container; needed if the pod has several. */
  readonly container?: string;
  /** Continues with what is written later, until the container ends. */
  readonly follow?: boolean;
  /** The log of the container before it was restarted. */
  readonly previous?: boolean;
  readonly sinceSeconds?: number;
  /** A time as in RFC 3339; not with `sinceSeconds`. */
  readonly sinceTime?: string;
  /** Begins each line with its time. */
  readonly timestamps?: boolean;
  /** The number of lines at the end. */
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** Does not verify the certificate of the node. */
  readonly insecureSkipTLSVerifyBackend?: boolean;
}

/**
 * Opens the log of a container, and returns its bytes as they arrive. Ends early when the signal
 * aborts.
 *
 * @example
 * const log = await readLogs(client, 'web', { follow: true, tailLines: 10 });
 * for await (const bytes of log) process.stdout.write(bytes);
 */
export function readLogs(client: Client, pod: string, options: LogOptions = {}): Promise<AsyncIterable<Uint8Array>> {
  const { namespace = client.settings.namespace, signal, ...query } = options;
  const reference = { group: '', version: 'v1', resource: 'pods' };
  return client.transport.stream({
    method: 'GET',
    path: resourcePath(reference, { namespace, name: pod, subresource: 'log' }),
    query,
    accept: '*/*',
    ...(signal ? { signal } : {}),
  });
}
