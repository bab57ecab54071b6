import type { AuthorizationAttributes, Authorizer } from './authorizer.ts';
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
