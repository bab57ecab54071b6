import type { ListerOf } from '../../meta/lister.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';

/** Creates a namespace as the server itself; does nothing if it exists. */
export type CreateNamespace = (name: string, signal: AbortSignal) => Promise<void>;

/** Creates the missing namespace of a new object, whatever rights its user has on namespaces. */
export function namespaceAutoProvision(listerOf: ListerOf, createNamespace: CreateNamespace): AdmissionPlugin {
  const namespaces = listerOf({ group: '', resource: 'namespaces', read: () => ({}) });
  const provision = async ({ namespace, signal }: AdmissionAttributes): Promise<void> => {
    if (!(await namespaces.get('', namespace, signal))) await createNamespace(namespace, signal);
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
