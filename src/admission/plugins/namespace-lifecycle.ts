import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Namespace } from '../../gen/stored/core-v1.ts';
import { notFound } from '../../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbidden } from '../forbidden.ts';

/** The names of the namespaces that cannot be deleted. */
function immortalNamespaces({ prefix }: Identifiers): readonly string[] {
  return ['default', `${prefix}system`, `${prefix}public`];
}

/** The names of the namespaces that the server creates. */
export function systemNamespaces(identifiers: Identifiers): readonly string[] {
  return [...immortalNamespaces(identifiers), `${identifiers.prefix}node-lease`];
}

/**
 * Refuses creates in namespaces that are missing or terminating, and deletes of the namespaces
 * that the system needs. Runs in the mutating phase, although it changes nothing, so that such
 * requests are refused before any other work.
 */
export function namespaceLifecycle({ identifiers, listerOf }: PluginContext): AdmissionPlugin {
  const immortal = new Set(immortalNamespaces(identifiers));
  const namespaces = listerOf({
    group: '',
    resource: 'namespaces',
    read: ({ status }: Namespace) => ({ terminating: status.phase === 'Terminating' }),
  });
  return {
    name: 'NamespaceLifecycle',
    operations: ['CREATE', 'DELETE'],
    mutate(attributes) {
      if (attributes.operation === 'DELETE') return refuseImmortal(attributes, immortal);
      if (attributes.namespace === '' || isReview(attributes, identifiers)) return;
      const admit = (namespace: { readonly terminating: boolean } | undefined): void => {
        if (!namespace) throw notFound({ group: '', resource: 'namespaces' }, attributes.namespace);
        if (namespace.terminating) throw terminating(attributes);
      };
      const found = namespaces.get('', attributes.namespace, attributes.signal);
      return found instanceof Promise ? found.then(admit) : admit(found);
    },
  };
}

function refuseImmortal(attributes: AdmissionAttributes, immortal: ReadonlySet<string>): void {
  const { group, resource } = attributes.resource;
  if (group !== '' || resource !== 'namespaces' || !immortal.has(attributes.name)) return;
  throw forbidden(attributes, 'this namespace may not be deleted');
}

/** Reviews ask about a namespace, which need not exist. */
function isReview({ resource }: AdmissionAttributes, { apiDomain }: Identifiers): boolean {
  return resource.group === `authorization.${apiDomain}`;
}

function terminating(attributes: AdmissionAttributes) {
  const { namespace } = attributes;
  return forbidden(
    attributes,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}
