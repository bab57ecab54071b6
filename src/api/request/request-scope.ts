import type { RequestAudit } from '../../audit/request-audit.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { RequestScope } from '../../registry/definition/registry.ts';
import type { ResourceDefinition } from '../../registry/definition/resource-definition.ts';
import { newestEmulated } from '../../scheme/emulated-release.ts';
import type { Exchange } from './exchange.ts';
import { defined } from '../../meta/json-value.ts';
import { traceOf } from './span-trace.ts';
import type { ResourceTarget } from './request-path.ts';

/** Creates the scope of a request for the registry. */
export function requestScope(
  identifiers: Identifiers,
  exchange: Exchange,
  { namespace, group, version, name, subresource }: ResourceTarget,
  { namespaced, emulated = newestEmulated }: ResourceDefinition,
): RequestScope {
  return {
    identifiers,
    user: exchange.user,
    namespace: namespaced ? namespace : '',
    urlNamespace: namespace,
    group,
    version,
    emulated,
    name,
    subresource,
    verb: exchange.verb,
    cancellation: exchange,
    waited: (phase, ms) => exchange.waitedForWebhook(phase, ms),
    warn: (text) => exchange.warnings.add(text),
    steps: exchange,
    ...(exchange.trace || exchange.span ? defined({ trace: traceOf(exchange) }) : {}),
    ...(exchange.audit ? { recordObject: recorderOf(exchange.audit) } : {}),
    annotate: (key, value, level) => exchange.annotate(key, value, level),
  };
}

function recorderOf(audit: RequestAudit): NonNullable<RequestScope['recordObject']> {
  return (object, complete) => {
    audit.named(object);
    audit.requestObject(complete);
  };
}
