import { serverUser } from '../../meta/user-info.ts';
import type { AdmissionAttributes } from '../admission.ts';

/** The records of cluster IPs, which a server makes before it is ready. */
const ownRecords: ReadonlySet<string> = new Set(['ipaddresses', 'servicecidrs']);

/**
 * Reports whether a server writes records of its own, on which no webhook or policy decides: it
 * could keep the server from ever being ready, and then could not be removed.
 */
export function isOwnRecord({ resource, user }: AdmissionAttributes): boolean {
  return user === serverUser && ownRecords.has(resource.resource);
}
