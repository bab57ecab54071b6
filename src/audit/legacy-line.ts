import type { UserInfo } from '../meta/user-info.ts';
import { type AuditEvent, microTime } from './audit-event.ts';

/** Encodes an event as a line of text, in the format `legacy` of kube-apiserver. */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus } = event;
  const fields: readonly (readonly [name: string, value: string])[] = [
    ['id', JSON.stringify(event.auditId)],
    ['stage', JSON.stringify(event.stage)],
    ['ip', JSON.stringify(event.sourceIps[0] ?? '<unknown>')],
    ['method', JSON.stringify(event.verb)],
    ['user', JSON.stringify(user?.username ?? '<none>')],
    ['groups', JSON.stringify(groupsText(user) || '<none>')],
    ['as', JSON.stringify(impersonatedUser?.username ?? '<self>')],
    ['asgroups', JSON.stringify(groupsText(impersonatedUser) || '<lookup>')],
    ['namespace', JSON.stringify(objectRef?.namespace || '<none>')],
    ['uri', JSON.stringify(event.requestUri)],
    ['response', JSON.stringify(responseStatus ? String(responseStatus.code) : '<deferred>')],
  ];
  const text = fields.map(([name, value]) => `${name}=${value}`).join(' ');
  return `${microTime(event.receivedMicros)} AUDIT: ${text}`;
}

function groupsText(user: UserInfo | undefined): string {
  return user ? user.groups.map((text) => JSON.stringify(text)).join(',') : '';
}
