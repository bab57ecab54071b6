import type * as corev1 from '../../../gen/types/core-v1.ts';
import { CliError } from '../../cli-error.ts';
import type { Session } from '../../find-type.ts';
import { pods } from '../../pod-resource.ts';

/**
 * Waits until a pod is in a state, and returns it; `timeoutMs` 0 is no limit. Throws `CliError` if
 * it is deleted, and if the time is over.
 */
export async function waitForPod(
  { client, io }: Session,
  name: string,
  timeoutMs: number,
  isReached: (pod: corev1.Pod) => boolean,
): Promise<corev1.Pod> {
  const limit = timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : [];
  const signal = AbortSignal.any([io.signal, ...limit]);
  const { namespace } = client.settings;
  const fieldSelector = `metadata.name=${name}`;
  try {
    // A server may end a watch at any time.
    for (;;) {
      for await (const { type, object } of client.resource(pods).watch({ namespace, fieldSelector, signal })) {
        if (type === 'DELETED') throw new CliError(`pod ${name} was deleted`);
        if (isReached(object)) return object;
      }
      signal.throwIfAborted();
    }
  } catch (error) {
    io.signal.throwIfAborted();
    if (!signal.aborted) throw error;
    throw new CliError('timed out waiting for the condition', {
      hint: `see "cl describe pod ${name}", or wait longer with --pod-running-timeout`,
      cause: error,
    });
  }
}
