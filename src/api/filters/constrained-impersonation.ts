import { LRUCache } from 'lru-cache';
import type { AuthorizationAttributes, Authorizer } from '../../authz/authorizer.ts';
import { decideAccess } from '../../authz/decide-access.ts';
import type { RequestedUser } from '../../http-protocol/messages/impersonation-headers.ts';
import { StatusError } from '../../status/status-error.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { createImpersonationMetrics } from '../metrics/impersonation-metrics.ts';
import type { Exchange } from '../request/exchange.ts';
import { attributesOf } from './authorize.ts';
import { forbiddenRequest } from '../../authz/forbidden-request.ts';
import { constrainedParts, type ImpersonationMode, impersonationModes, type UserPart } from './impersonation-modes.ts';
import { requestedUserError } from './requested-user-error.ts';

/** Requires a right. Rejects with 403 if the caller does not have it. */
export type CheckRight = (attributes: AuthorizationAttributes) => Promise<void>;

/**
 * Decides whether a caller may impersonate a user: by constrained rights, which are limited to
 * kinds of users and verbs, or by the right to impersonate.
 */
export interface ConstrainedImpersonation {
  /**
   * Resolves with the constrained verb that allowed the request, '' if the right to impersonate
   * did. Rejects with the first refusal. `requireAll` checks the right to impersonate.
   */
  admit(
    exchange: Exchange,
    requested: RequestedUser,
    requireAll: (check: CheckRight) => Promise<void>,
  ): Promise<string>;
}

/** A set of rights, all of which together allow the request. */
interface ImpersonationRule {
  readonly name: string;
  readonly constraint: string;
  readonly check: () => Promise<void>;
}

/** The number of callers whose last allowing rule is tried first the next time. */
const rememberedCallers = 10_000;

const allUsers = 'legacy';

interface ConstrainedImpersonationOptions {
  readonly authorizers: readonly Authorizer[];
  readonly identifiers: Identifiers;
  /** True if authorizers see the selectors of lists; false if absent. */
  readonly authorizeWithSelectors?: boolean;
  readonly metrics: MetricsRegistry;
}

/** Creates the decision on constrained impersonation, and its metrics. */
export function constrainedImpersonation(options: ConstrainedImpersonationOptions): ConstrainedImpersonation {
  const { authorizers, identifiers, authorizeWithSelectors = false } = options;
  const metrics = createImpersonationMetrics(options.metrics);
  const modes = impersonationModes(identifiers);
  const group = `authentication.${identifiers.apiDomain}`;
  const lastRules = new LRUCache<string, string>({ max: rememberedCallers });
  const checkOf =
    (mode: string): CheckRight =>
    async (attributes) => {
      const startMs = performance.now();
      const { decision, reason } = await decideAccess(authorizers, attributes);
      metrics.authorized(mode, decision === 'allow', startMs);
      if (decision !== 'allow') throw forbiddenRequest(attributes, reason);
    };
  return {
    async admit(exchange, requested, requireAll) {
      const startMs = performance.now();
      const { user: caller } = exchange;
      const request = attributesOf(exchange, authorizeWithSelectors);
      const rules: readonly ImpersonationRule[] = [
        ...modes
          .filter(({ appliesTo }) => appliesTo(requested, caller))
          .map((mode) => ({
            name: mode.name,
            constraint: `impersonate:${mode.name}`,
            check: () => checkMode(mode, { request, requested, group, check: checkOf(mode.name) }),
          })),
        { name: allUsers, constraint: '', check: () => requireAll(checkOf(allUsers)) },
      ];
      try {
        const { name, constraint } = await firstAllowed(lastFirst(rules, lastRules.get(caller.username)));
        lastRules.set(caller.username, name);
        metrics.attempted(name, true, startMs);
        return constraint;
      } catch (error) {
        metrics.attempted('', false, startMs);
        throw error;
      }
    },
  };
}

function lastFirst(rules: readonly ImpersonationRule[], last: string | undefined): readonly ImpersonationRule[] {
  return [...rules.filter(({ name }) => name === last), ...rules.filter(({ name }) => name !== last)];
}

/** Returns the first rule that allows the request. If none does, rejects with the first refusal. */
async function firstAllowed(rules: readonly ImpersonationRule[]): Promise<ImpersonationRule> {
  let refusal: unknown;
  for (const rule of rules) {
    try {
      await rule.check();
      return rule;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

/** The parameters of the check of one mode. */
interface ModeCheck {
  readonly request: AuthorizationAttributes;
  readonly requested: RequestedUser;
  readonly group: string;
  readonly check: CheckRight;
}

/** Requires the right to do the request in this mode, and the right to each part of the user. */
async function checkMode(mode: ImpersonationMode, modeCheck: ModeCheck): Promise<void> {
  const { request, requested, group, check } = modeCheck;
  const user = mode.callerOf ? mode.callerOf(request.user) : request.user;
  await check({ ...request, user, verb: `impersonate-on:${mode.name}:${request.verb}` });
  refuseParts(mode, modeCheck);
  const suffices = new Map<UserPart, Promise<boolean>>();
  for (const { part, sufficient } of constrainedParts(requested, mode, group)) {
    if (sufficient) {
      const isSufficient = suffices.get(sufficient) ?? has(check, { ...sufficient, user });
      suffices.set(sufficient, isSufficient);
      if (await isSufficient) continue;
    }
    await check({ ...part, user });
  }
}

/** Throws 403 for groups and extra fields that nobody may impersonate. */
function refuseParts({ name: mode }: ImpersonationMode, { request: { user }, requested, group }: ModeCheck): void {
  const problem = requestedUserError(requested);
  if (!problem) return;
  const { resource, name, reason } = problem;
  const place = { apiGroup: group, apiVersion: 'v1', subresource: '', namespace: '', path: '' };
  const verb = `impersonate:${mode}`;
  throw forbiddenRequest({ ...place, user, verb, resourceRequest: true, resource, name }, reason);
}

async function has(check: CheckRight, attributes: AuthorizationAttributes): Promise<boolean> {
  try {
    await check(attributes);
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}
