import { goQuote } from '../status/go-quote.ts';
import type { UserInfo } from '../meta/user-info.ts';
import type { AuditEvent } from './audit-event.ts';
import { microTime } from './micro-time.ts';

/** Encodes an event as a line of text, in the format `legacy` of kube-apiserver. */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus } = event;
  const fields: readonly (readonly [name: string, value: string])[] = [
    ['id', goQuote(event.auditId)],
    ['stage', goQuote(event.stage)],
    ['ip', goQuote(event.sourceIps[0] ?? '<unknown>')],
    ['method', goQuote(event.verb)],
    ['user', goQuote(user?.username ?? '<none>')],
    ['groups', goQuote(groupsText(user) || '<none>')],
    ['as', goQuote(impersonatedUser?.username ?? '<self>')],
    ['asgroups', goQuote(groupsText(impersonatedUser) || '<lookup>')],
    ['namespace', goQuote(objectRef?.namespace || '<none>')],
    ['uri', goQuote(event.requestUri)],
    ['response', goQuote(responseStatus ? String(responseStatus.code) : '<deferred>')],
  ];
  const text = fields.map(([name, value]) => `${name}=${value}`).join(' ');
  return `${microTime(event.receivedMicros)} AUDIT: ${text}`;
}

function groupsText(user: UserInfo | undefined): string {
  return user ? user.groups.map(goQuote).join(',') : '';
}
