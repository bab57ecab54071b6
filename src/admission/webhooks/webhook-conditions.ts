import { andThen, type MaybePromise, runMaybeAsync } from '../../async/maybe-promise.ts';
import { fromJsonWithInts } from '../../cel/values/from-json.ts';
import type { CelValue } from '../../cel/values/cel-value.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { AdmissionAttributes, AdmittedVersion } from '../admission.ts';
import type { ConditionMetrics } from '../expressions/condition-metrics.ts';
import { evaluateConditions } from '../expressions/compile-conditions.ts';
import { authorizerInputs, type DecideCheck, requestValue } from '../expressions/request-inputs.ts';
import { forbidden } from '../forbidden.ts';
import type { Candidate } from './webhook-source.ts';

/**
 * Evaluates the match conditions of a webhook; true if it is called. Throws 403 if they fail and
 * the failure policy is Fail.
 */
export type CheckConditions = (candidate: Candidate, attributes: AdmissionAttributes) => MaybePromise<boolean>;

/** Creates the check of match conditions for webhooks of a type. */
export function conditionsCheck(
  decide: DecideCheck,
  metrics: ConditionMetrics,
  type: 'admit' | 'validate',
): CheckConditions {
  return ({ webhook, version }, attributes) => {
    if (!webhook.conditions) return true;
    const compiled = webhook.conditions();
    const owner = { name: webhook.name, kind: 'webhook', type, operation: attributes.operation } as const;
    const startMs = performance.now();
    const result = andThen(compiled, (conditions) =>
      andThen(valuesOf(version, attributes), ([object, oldObject]) =>
        runMaybeAsync(
          evaluateConditions(conditions, {
            object,
            oldObject,
            namespaceObject: null,
            request: requestValue(attributes, version),
            params: null,
            authorizers: () => authorizerInputs(attributes, decide),
          }),
        ),
      ),
    );
    return andThen(result, ({ isMatch, error, failures }) => {
      metrics.evaluated(owner, (performance.now() - startMs) / 1_000, failures);
      if (error !== '' && !webhook.ignoresFailure) throw forbidden(attributes, error);
      if (!isMatch) metrics.excluded(owner);
      return isMatch;
    });
  };
}

function valuesOf(
  version: AdmittedVersion,
  { object, oldObject }: AdmissionAttributes,
): MaybePromise<readonly [CelValue, CelValue]> {
  const shown = (one: JsonObject | undefined): MaybePromise<CelValue> =>
    one ? andThen(version.show(one), fromJsonWithInts) : null;
  return andThen(shown(object), (now) => andThen(shown(oldObject), (old) => [now, old] as const));
}
