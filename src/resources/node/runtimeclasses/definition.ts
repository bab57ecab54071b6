import type { RuntimeClass } from '../../../gen/stored/node-v1.ts';
import { builtIn } from '../../built-in.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import type { Toleration } from '../../../gen/stored/core-v1.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { type EmulatedRelease, hasAdditionsOf } from '../../../scheme/emulated-release.ts';
import { identityOfValue } from '../../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, required } from '../../../status/field-error.ts';
import { checkTolerations } from '../../../kinds/core/check-tolerations.ts';
import { checkString, repeatsOf } from '../../rules/fields/field-checks.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkLabels } from '../../rules/fields/labels.ts';
import { checkContainerResources } from '../../rules/fields/resource-amounts.ts';

/** The strategy of runtime classes. */
const strategy: Strategy<RuntimeClass> = {
  plainFinalizers: true,
  validate: validateRuntimeClass,
  validateUpdate: ({ handler }, old) => checkImmutable('handler', handler, old.handler),
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
};

function validateRuntimeClass(
  { handler, overhead, scheduling = {} }: RuntimeClass,
  { emulated }: StrategyContext,
): FieldError[] {
  const isEmpty = handler === '' && isSince(emulated.release, '1.36');
  return [
    ...(isEmpty ? [required('handler')] : checkString('handler', handler, validateDnsLabel)),
    ...checkContainerResources('overhead', { limits: overhead?.podFixed ?? {} }),
    ...checkLabels('scheduling.nodeSelector', scheduling?.nodeSelector),
    ...tolerationErrors(scheduling.tolerations ?? [], emulated),
  ];
}

/** Checks the tolerations: each is unique, whatever its seconds. */
function tolerationErrors(tolerations: readonly Toleration[], emulated: EmulatedRelease): readonly FieldError[] {
  const field = 'scheduling.tolerations';
  const repeats = repeatsOf(tolerations, ({ key = '', effect = '', operator = '', value = '' }) =>
    identityOfValue([key, effect, operator, value]),
  );
  return allErrors(
    // Earlier releases repeat the list's name in paths. RuntimeClasses do not support number
    // operators.
    checkTolerations(
      isSince(emulated.release, '1.35') ? field : `${field}.tolerations`,
      tolerations,
      hasAdditionsOf(emulated, '1.35') ? 'refused' : 'unknown',
    ),
    errorsOfEach(tolerations, (toleration, index) =>
      repeats.has(index) ? [duplicate(`${field}[${index}]`, toleration)] : noErrors,
    ),
  );
}

/** The columns of runtime classes. */
const columns: readonly Column<RuntimeClass>[] = [
  nameColumn,
  textColumn('Handler', 'Configuration of the container runtime for pods of the class.', ({ handler }) => handler),
  ageColumn,
];

/** The resource `runtimeclasses` of the group `node`. */
export const runtimeClasses = builtIn<RuntimeClass>({
  group: 'node',
  resource: 'runtimeclasses',
  kind: 'RuntimeClass',
  versions: {
    v1: { introduced: '1.20' },
    v1beta1: { introduced: '1.14', deprecated: { since: '1.22', removed: '1.25' } },
  },
  columns,
  strategy,
});
