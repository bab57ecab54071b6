import { serverUser } from '../../meta/user-info.ts';
import type { AdmissionAttributes } from '../admission.ts';

/** The resources that record cluster IPs, which a server writes before it is ready. */
const ownRecords: ReadonlySet<string> = new Set(['ipaddresses', 'servicecidrs']);

/**
 * Reports whether the server writes such a record itself. Webhooks and policies do not apply: one
 * could keep the server from becoming ready, and then could not be removed.
 */
export function isOwnRecord({ resource, user }: AdmissionAttributes): boolean {
  return user === serverUser && ownRecords.has(resource.resource);
}
