import { nameOf } from '../../meta/object-meta.ts';
import { serverUser } from '../../meta/user-info.ts';
import { isSince } from '../../scheme/api-release.ts';
import { invalid } from '../../status/field-error.ts';
import { invalidObject } from '../../status/status-error.ts';
import type { AdmissionPlugin, PluginContext } from '../admission.ts';
import { staticObjectsGate, staticResources, staticSuffix } from '../static-objects.ts';

/**
 * Reserves the names of static objects: refuses creates where a server may have static objects, and
 * warns elsewhere. Runs after validation and cannot be disabled, because it is not a plugin.
 * Undefined in releases without static objects.
 */
export function staticNames({
  identifiers,
  emulated,
}: Pick<PluginContext, 'identifiers' | 'emulated'>): AdmissionPlugin | undefined {
  if (!isSince(emulated.release, '1.36')) return undefined;
  const group = `admissionregistration.${identifiers.apiDomain}`;
  const suffix = staticSuffix(identifiers);
  const why = `names ending with ${JSON.stringify(suffix)} are reserved for static manifest-based configurations and cannot be managed via the API`;
  const refuses = emulated.isFeatureEnabled(staticObjectsGate);
  return {
    name: 'StaticNames',
    operations: ['CREATE', 'UPDATE'],
    resources: Object.values(staticResources).flat(),
    validate(attributes) {
      const { resource, subresource, operation, kind, user, object = {} } = attributes;
      const name = nameOf(object);
      if (resource.group !== group || subresource !== '' || user === serverUser || !name.endsWith(suffix)) return;
      if (refuses && operation === 'CREATE') {
        throw invalidObject({ group, resource: kind.kind }, name, [invalid('metadata.name', name, why)]);
      }
      attributes.warn(`metadata.name: ${why}`);
    },
  };
}
