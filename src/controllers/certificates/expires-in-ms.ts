import { X509Certificate } from 'node:crypto';
import type { SigningRequest } from '../resources.ts';

/** Requests that nobody decides are deleted after a day, decided ones after an hour. */
const pendingMs = 24 * 3600_000;
const decidedMs = 3600_000;

/** The time until a request is deleted; 0 or less: now. */
export function expiresInMs({ metadata, status }: SigningRequest, nowMs: number): number {
  const decisions = (status?.conditions ?? []).filter(({ type }) => ['Approved', 'Denied', 'Failed'].includes(type));
  const times = decisions.map((each) => Date.parse(each.lastUpdateTime ?? each.lastTransitionTime ?? '') + decidedMs);
  const known = times.filter((time) => !Number.isNaN(time));
  const created = Date.parse(metadata.creationTimestamp);
  const due = known.length > 0 ? Math.min(...known) : created + pendingMs;
  return Math.min(due, certificateEnd(status?.certificate) ?? due) - nowMs;
}

/** The end of an issued certificate. Text that is no certificate has none. */
function certificateEnd(base64: string | undefined): number | undefined {
  if (!base64) return undefined;
  try {
    return Date.parse(new X509Certificate(Buffer.from(base64, 'base64')).validTo);
  } catch {
    return undefined;
  }
}
