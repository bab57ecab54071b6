import type { Identifiers } from '../identifiers/identifiers.ts';
import type { UserInfo } from '../meta/user-info.ts';
import type { Authorizer, AuthorizationAttributes } from './authorizer.ts';
import { decideAccess } from './decide-access.ts';
import { membersOf } from './replaceable-authorizers.ts';

/**
 * Explains the decision on a request: a line for each authorizer up to the one that decides, with
 * its name, decision and reasons.
 */
export async function explain(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
): Promise<string> {
  const lines: string[] = [];
  for (const authorizer of membersOf(authorizers)) {
    const { decision, reason, evaluationError = '' } = await authorizer.authorize(attributes);
    const detail = (await authorizer.explain?.(attributes)) ?? reason;
    const said = [detail, evaluationError].filter(Boolean).join('; ');
    lines.push(`${authorizer.name}: ${words[decision]}${said === '' ? '' : `: ${said}`}`);
    if (decision !== 'no-opinion') break;
  }
  return lines.join('\n');
}

const words = { allow: 'allowed', deny: 'denied', 'no-opinion': 'no opinion' } as const;

const kinds = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'] as const;

/**
 * Reports whether a user may see the reasons of decisions: a user who may list all roles and
 * bindings learns nothing new from that.
 */
export async function mayExplain(
  authorizers: readonly Authorizer[],
  { apiDomain }: Identifiers,
  user: UserInfo,
): Promise<boolean> {
  const list = { verb: 'list', resourceRequest: true, apiGroup: `rbac.authorization.${apiDomain}`, apiVersion: 'v1' };
  const anywhere = { subresource: '', namespace: '', name: '', path: '' };
  for (const resource of kinds) {
    const { decision } = await decideAccess(authorizers, { ...list, ...anywhere, resource, user });
    if (decision !== 'allow') return false;
  }
  return true;
}
