import { notFound } from '../../status/status-error.ts';
import type { AdmissionPlugin, PluginContext } from '../admission.ts';

/** Refuses every write in a namespace that is missing, also updates and deletes. */
export function namespaceExists({ listerOf }: PluginContext): AdmissionPlugin {
  const namespaces = listerOf({ group: '', resource: 'namespaces', read: () => ({}) });
  return {
    name: 'NamespaceExists',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async validate({ namespace, resource, signal }) {
      if (namespace === '' || (resource.group === '' && resource.resource === 'namespaces')) return;
      const found = await namespaces.get('', namespace, signal);
      if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    },
  };
}
