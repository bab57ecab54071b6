import { metaText } from '../meta/object-meta.ts';
import { qualified, type StatusCause, StatusError } from '../status/status-error.ts';
import type { AdmissionAttributes } from './admission.ts';

/**
 * 403 Forbidden for a request that a plugin refuses; `why` ends the message. An object without name
 * and prefix of a name is called Unknown, as by kube-apiserver.
 */
export function forbidden(
  attributes: Pick<AdmissionAttributes, 'resource' | 'name' | 'object'>,
  why: string,
  causes?: readonly StatusCause[],
): StatusError {
  // The mutating phase comes before a name is generated.
  const name = attributes.name || metaText(attributes.object ?? {}, 'generateName') || 'Unknown';
  return forbiddenNamed(attributes, name, why, causes);
}

/** As `forbidden`, with a name; '' is left out. */
export function forbiddenNamed(
  { resource: { group, resource } }: Pick<AdmissionAttributes, 'resource'>,
  name: string,
  why: string,
  causes?: readonly StatusCause[],
): StatusError {
  return new StatusError(
    'Forbidden',
    `${qualified({ group, resource })}${name ? ` ${JSON.stringify(name)}` : ''} is forbidden: ${why}`,
    {
      details: {
        ...(name ? { name } : {}),
        ...(group ? { group } : {}),
        kind: resource,
        ...(causes ? { causes } : {}),
      },
    },
  );
}
