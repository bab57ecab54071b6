import type { Identifiers } from '../../identifiers/identifiers.ts';
import { notFound } from '../../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';

/** What is known of a namespace. */
export interface NamespaceState {
  readonly terminating: boolean;
}

/** Looks a namespace up; undefined where there is none. */
export type FindNamespace = (name: string, signal: AbortSignal) => Promise<NamespaceState | undefined>;

/** What the plugin needs. */
export interface NamespaceLifecycleOptions {
  readonly identifiers: Identifiers;
  readonly findNamespace: FindNamespace;
}

/** The names of the namespaces that every server has. */
export function systemNamespaces(identifiers: Identifiers): readonly string[] {
  const { prefix } = identifiers;
  return ['default', `${prefix}system`, `${prefix}public`, `${prefix}node-lease`];
}

/**
 * Keeps content and namespaces together: nothing is created where there is no namespace or where one is being deleted, and the
 * namespaces that every server has stay. It takes part in the mutating phase although it changes nothing, so that such a
 * request is refused before any other work is done for it.
 */
export function namespaceLifecycle({ identifiers, findNamespace }: NamespaceLifecycleOptions): AdmissionPlugin {
  const immortal = new Set(systemNamespaces(identifiers));
  return {
    name: 'NamespaceLifecycle',
    operations: ['CREATE', 'DELETE'],
    async mutate(attributes) {
      if (attributes.operation === 'DELETE') return refuseImmortal(attributes, immortal);
      if (attributes.namespace === '') return;
      const namespace = await findNamespace(attributes.namespace, attributes.signal);
      if (!namespace) throw notFound({ group: '', resource: 'namespaces' }, attributes.namespace);
      if (namespace.terminating) throw terminating(attributes);
    },
  };
}

function refuseImmortal(attributes: AdmissionAttributes, immortal: ReadonlySet<string>): void {
  const { group, resource } = attributes.resource;
  if (group !== '' || resource !== 'namespaces' || !immortal.has(attributes.name)) return;
  throw forbidden(attributes, 'this namespace may not be deleted');
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
