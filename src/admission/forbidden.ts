import { qualified, type StatusCause, StatusError } from '../status/status-error.ts';
import type { AdmissionAttributes } from './admission.ts';

/** 403 Forbidden for a request that a plugin refuses; `why` ends the message. */
export function forbidden(attributes: AdmissionAttributes, why: string, causes?: readonly StatusCause[]): StatusError {
  const { group, resource } = attributes.resource;
  const { name } = attributes;
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
