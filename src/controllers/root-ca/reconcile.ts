import { hasReason } from '../../client/status-error.ts';
import type { ConfigMap, Namespace } from '../../gen/types/core-v1.ts';
import { isTerminating } from '../is-terminating.ts';

/** The CA, the name of the ConfigMap, and the calls of `reconcile`. */
interface RootCaCalls {
  readonly rootCa: string;
  readonly name: string;
  readonly published: (namespace: string) => ConfigMap | undefined;
  readonly create: (configMap: ConfigMap) => Promise<unknown>;
  readonly update: (configMap: ConfigMap) => Promise<unknown>;
}

const key = 'ca.crt';

/** Creates or repairs the ConfigMap of an active namespace. */
export async function reconcile(
  namespace: Namespace | undefined,
  { rootCa, name, published, create, update }: RootCaCalls,
): Promise<void> {
  const inNamespace = namespace?.metadata?.name ?? '';
  if (namespace?.status?.phase !== 'Active') return;
  const data = { [key]: rootCa };
  const present = published(inNamespace);
  if (present && present.data?.[key] === rootCa && Object.keys(present.data).length === 1) return;
  try {
    if (present) await update({ ...present, data });
    else {
      await create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: inNamespace }, data });
    }
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists') && !isTerminating(error)) throw error;
  }
}
