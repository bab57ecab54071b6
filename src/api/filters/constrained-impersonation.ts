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

/** Decides whether a caller may act as a user, by rights for sorts of users, or for all of them. */
export interface ConstrainedImpersonation {
  /**
   * Resolves with the verb of the rights that allowed it, '' if they are for all users. Rejects
   * with the first refusal. `requireAll` asks for the rights that are for all users.
   */
  admit(
    exchange: Exchange,
    requested: RequestedUser,
    requireAll: (check: CheckRight) => Promise<void>,
  ): Promise<string>;
}

/** A set of rights that suffices. */
interface ImpersonationRule {
  readonly name: string;
  readonly constraint: string;
  readonly check: () => Promise<void>;
}

/** The callers whose last rule is remembered: most act as one sort of users. */
const rememberedCallers = 10_000;

const allUsers = 'legacy';

interface ConstrainedImpersonationOptions {
  readonly authorizers: readonly Authorizer[];
  readonly identifiers: Identifiers;
  /** True if authorizers see the selectors of lists; false if absent. */
  readonly authorizeWithSelectors?: boolean;
  readonly metrics: MetricsRegistry;
}

/** Creates the decisions on acting as a user, with their metrics. */
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

/** Rejects with the refusal of the first rule if none allows it. */
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

/** The question whether a caller may act as a user in a mode. */
interface ModeQuestion {
  readonly request: AuthorizationAttributes;
  readonly requested: RequestedUser;
  readonly group: string;
  readonly check: CheckRight;
}

/** Requires the right to the request in this mode, and the right to each part of the user. */
async function checkMode(mode: ImpersonationMode, question: ModeQuestion): Promise<void> {
  const { request, requested, group, check } = question;
  const user = mode.callerOf ? mode.callerOf(request.user) : request.user;
  await check({ ...request, user, verb: `impersonate-on:${mode.name}:${request.verb}` });
  refuseParts(mode, question);
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

/** Throws 403 for parts that nobody may act with. */
function refuseParts({ name: mode }: ImpersonationMode, { request: { user }, requested, group }: ModeQuestion): void {
  const fault = requestedUserError(requested);
  if (!fault) return;
  const { resource, name, reason } = fault;
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
