import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '../../authz/authorizer.ts';
import { decideAccess } from '../../authz/decide-access.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Exchange } from '../request/exchange.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { requestSelectors, type RequestSelectors } from '../../authz/request-selectors.ts';
import { requestedTarget } from '../request/path-segment-name.ts';
import type { Filter } from './filter.ts';
import { StatusError } from '../../status/status-error.ts';
import { forbiddenRequest } from '../../authz/forbidden-request.ts';

interface AuthorizeOptions {
  readonly identifiers: Identifiers;
  readonly metrics: Pick<RequestMetrics, 'authorized'>;
  /** True if authorizers see the selectors of lists. */
  readonly withSelectors: boolean;
}

/**
 * Authorizes a request (spec 5.10). The first allow or deny of the authorizers is final; no
 * decision is a refusal. The audit record has the decision and its reason.
 */
export function authorize(
  authorizers: readonly Authorizer[],
  { identifiers, metrics, withSelectors }: AuthorizeOptions,
): Filter {
  const decisionName = `authorization.${identifiers.apiDomain}/decision`;
  const reasonName = `authorization.${identifiers.apiDomain}/reason`;
  const annotate = (exchange: Exchange, { decision, reason, evaluationError }: AuthorizationDecision): void => {
    const isUndecided = decision !== 'allow' && evaluationError !== undefined;
    if (!isUndecided) exchange.annotate(decisionName, decision === 'allow' ? 'allow' : 'forbid');
    exchange.annotate(reasonName, isUndecided ? 'internal error' : reason);
  };
  return (exchange) => {
    const startMs = performance.now();
    const attributes = attributesOf(exchange, withSelectors);
    const admit = (answer: AuthorizationDecision): void => {
      const { decision, reason, evaluationError } = answer;
      metrics.authorized(startMs, resultOf(decision, evaluationError));
      if (exchange.audit) annotate(exchange, answer);
      exchange.trace?.note(evaluationError ?? reason);
      if (decision === 'allow') return;
      throw evaluationError === undefined ? forbiddenRequest(attributes, reason) : undecided(exchange, evaluationError);
    };
    const decision = decideAccess(authorizers, attributes);
    return decision instanceof Promise ? decision.then(admit) : admit(decision);
  };
}

function resultOf(
  decision: AuthorizationDecision['decision'],
  evaluationError: string | undefined,
): 'allowed' | 'denied' | 'no-opinion' | 'error' {
  if (decision === 'allow') return 'allowed';
  if (evaluationError !== undefined) return 'error';
  return decision === 'deny' ? 'denied' : 'no-opinion';
}

/**
 * Returns the attributes of a request, from the same parsed path that selects the resource to
 * serve.
 */
export function attributesOf(exchange: Exchange, withSelectors: boolean): AuthorizationAttributes {
  const { path, verb, user } = exchange;
  const target = requestedTarget(exchange);
  return {
    user,
    verb,
    resourceRequest: target !== undefined,
    apiGroup: target?.group ?? '',
    apiVersion: target?.version ?? '',
    resource: target?.resource ?? '',
    subresource: target?.subresource ?? '',
    namespace: target?.namespace ?? '',
    name: target?.name ?? '',
    path: target ? '' : path.decoded,
    ...(withSelectors && target ? selectorsOf(exchange) : {}),
  };
}

/** The verbs with selectors. A deprecated watch path may name a single object. */
const selectingVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

function selectorsOf({ path: { target }, verb, query }: Exchange): RequestSelectors {
  if (!selectingVerbs.has(verb) || target?.prefix) return {};
  return requestSelectors(query.get('fieldSelector'), query.get('labelSelector'));
}

/** The answer if an authorizer failed and none allowed the request. */
function undecided({ path }: Exchange, evaluationError: string): StatusError {
  const message = `Internal Server Error: ${JSON.stringify(path.decoded)}: ${evaluationError}`;
  return new StatusError('InternalError', message);
}
