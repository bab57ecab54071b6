import type { AuthorizationAttributes } from './authorizer.ts';
import { qualified, StatusError } from '../status/status-error.ts';

/** The error for a request that the authorizers do not allow, with kube-apiserver's message. */
export function forbiddenRequest(attributes: AuthorizationAttributes, reason: string): StatusError {
  const text = `${escapeMarkup(describe(attributes))}${reason ? `: ${reason}` : ''}`;
  const { apiGroup: group, resource, name } = attributes;
  if (!attributes.resourceRequest) return new StatusError('Forbidden', `forbidden: ${text}`, { details: {} });
  const subject = `${qualified({ group, resource })}${name ? ` ${JSON.stringify(name)}` : ''}`;
  return new StatusError('Forbidden', `${subject} is forbidden: ${text}`, {
    details: { ...(name ? { name } : {}), ...(group ? { group } : {}), kind: resource },
  });
}

function describe(attributes: AuthorizationAttributes): string {
  const who = `User ${JSON.stringify(attributes.user.username)} cannot ${attributes.verb}`;
  if (!attributes.resourceRequest) return `${who} path ${JSON.stringify(attributes.path)}`;
  const { resource, subresource, apiGroup, namespace } = attributes;
  const what = JSON.stringify(subresource ? `${resource}/${subresource}` : resource);
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : 'at the cluster scope';
  return `${who} resource ${what} in API group ${JSON.stringify(apiGroup)} ${where}`;
}

const markup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => markup[character] ?? character);
}
