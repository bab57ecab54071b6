import type { ListerOf } from '../../meta/lister.ts';
import { StatusError } from '../../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';

/** Creates a namespace as the server itself; does nothing if it exists. */
export type CreateNamespace = (name: string, signal: AbortSignal) => Promise<void>;

/** Creates the missing namespace of a new object, whatever rights its user has on namespaces. */
export function namespaceAutoProvision(listerOf: ListerOf, createNamespace: CreateNamespace): AdmissionPlugin {
  const namespaces = listerOf({ group: '', resource: 'namespaces', read: () => ({}) });
  const provision = async (attributes: AdmissionAttributes): Promise<void> => {
    const { namespace, signal } = attributes;
    if (await namespaces.get('', namespace, signal)) return;
    try {
      await createNamespace(namespace, signal);
    } catch (error) {
      throw error instanceof StatusError ? forbidden(attributes, error.message) : error;
    }
  };
  return {
    name: 'NamespaceAutoProvision',
    operations: ['CREATE'],
    mutate(attributes) {
      const { namespace, resource, dryRun } = attributes;
      const isNamespace = resource.group === '' && resource.resource === 'namespaces';
      return dryRun || namespace === '' || isNamespace ? undefined : provision(attributes);
    },
  };
}
