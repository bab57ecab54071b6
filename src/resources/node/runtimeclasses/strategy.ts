import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { identityOfValue, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError } from '../../../status/field-error.ts';
import { checkTolerations } from '../../../kinds/core/check-tolerations.ts';
import { checkString } from '../../rules/fields/check.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkLabels } from '../../rules/fields/labels.ts';
import { repeatsOf } from '../../rules/fields/repeats.ts';
import { checkContainerResources } from '../../rules/fields/resource-amounts.ts';

/** The strategy of runtime classes. */
export const strategy: Strategy = {
  plainFinalizers: true,
  validate: validateRuntimeClass,
  validateUpdate: (runtimeClass, old) =>
    checkImmutable('handler', getOwn(runtimeClass, 'handler'), getOwn(old, 'handler')),
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
};

function validateRuntimeClass(runtimeClass: JsonObject): FieldError[] {
  const scheduling = objectAt(runtimeClass, 'scheduling');
  const overhead = objectAt(runtimeClass, 'overhead', 'podFixed');
  return [
    ...checkString('handler', stringAt(runtimeClass, 'handler'), validateDnsLabel),
    ...checkContainerResources('overhead', { limits: overhead }),
    ...checkLabels('scheduling.nodeSelector', scheduling, 'nodeSelector'),
    ...tolerationErrors(objectsAt(scheduling, 'tolerations')),
  ];
}

/** The fields that identify a toleration: all except `tolerationSeconds`. */
const what = ['key', 'effect', 'operator', 'value'];

/** Checks the tolerations: each is unique. */
function tolerationErrors(tolerations: readonly JsonObject[]): readonly FieldError[] {
  const field = 'scheduling.tolerations';
  const repeats = repeatsOf(tolerations, (toleration) =>
    identityOfValue(what.map((name) => stringAt(toleration, name))),
  );
  return allErrors(
    checkTolerations(`${field}.tolerations`, tolerations),
    errorsOfEach(tolerations, (toleration, index) =>
      repeats.has(index) ? [duplicate(`${field}[${index}]`, toleration)] : noErrors,
    ),
  );
}
