import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { objectAt, objectsAt, sameValue, stringAt } from '../../../meta/read-field.ts';
import { duplicateShown, type FieldError } from '../../../status/field-error.ts';
import { goStruct, goStructs } from '../../../status/go-syntax.ts';
import { checkTolerations } from '../../core/pods/scheduling.ts';
import { checkString } from '../../rules/check.ts';
import { checkImmutable } from '../../rules/immutable.ts';
import { checkLabels } from '../../rules/labels.ts';
import { checkContainerResources } from '../../rules/resource-amounts.ts';

/** Runtime classes. */
export const definition: ResourceDefinition = {
  group: 'node',
  resource: 'runtimeclasses',
  strategy: {
    validate: validateRuntimeClass,
    toldByRules: /^handler$/,
    validateUpdate: (runtimeClass, old) =>
      checkImmutable('handler', getOwn(runtimeClass, 'handler'), getOwn(old, 'handler')),
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  },
};

function validateRuntimeClass(runtimeClass: JsonObject): FieldError[] {
  const scheduling = objectAt(runtimeClass, 'scheduling');
  const overhead = objectAt(runtimeClass, 'overhead', 'podFixed');
  return [
    ...checkString('handler', stringAt(runtimeClass, 'handler'), validateDnsLabel),
    ...checkContainerResources('overhead.podFixed', { limits: overhead }),
    ...checkLabels('scheduling.nodeSelector', scheduling, 'nodeSelector'),
    ...tolerationErrors(objectsAt(scheduling, 'tolerations')),
  ];
}

/** Each toleration stands once. */
function tolerationErrors(tolerations: readonly JsonObject[]): FieldError[] {
  const field = 'scheduling.tolerations';
  return [
    ...checkTolerations(field, tolerations),
    ...tolerations.flatMap((toleration, index) =>
      tolerations.slice(0, index).some((earlier) => sameValue(earlier, toleration))
        ? [duplicateShown(`${field}[${index}]`, goStruct(goStructs.toleration, toleration))]
        : [],
    ),
  ];
}
