import { hasReason } from '../../client/status-error.ts';
import type { Namespace, ServiceAccount } from '../../gen/types/core-v1.ts';
import { isTerminating } from '../is-terminating.ts';

/** The calls of `reconcile`. */
interface ServiceAccountCalls {
  readonly exists: (namespace: string, name: string) => boolean;
  readonly create: (account: ServiceAccount) => Promise<unknown>;
}

/** The accounts that Pods without an account need. */
const names = ['default'];

/** Creates the missing accounts of an active namespace. */
export async function reconcile(
  namespace: Namespace | undefined,
  { exists, create }: ServiceAccountCalls,
): Promise<void> {
  const inNamespace = namespace?.metadata?.name ?? '';
  if (namespace?.status?.phase !== 'Active') return;
  for (const name of names.filter((each) => !exists(inNamespace, each))) {
    try {
      await create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: inNamespace } });
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists') && !isTerminating(error)) throw error;
    }
  }
}
