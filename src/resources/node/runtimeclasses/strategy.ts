import { getOwn } from '../../../meta/json-value.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { checkString } from '../../rules/check.ts';
import { checkImmutable } from '../../rules/immutable.ts';

/** Runtime classes. */
export const definition: ResourceDefinition = {
  group: 'node',
  resource: 'runtimeclasses',
  strategy: {
    validate: (runtimeClass) => checkString('handler', stringAt(runtimeClass, 'handler'), validateDnsLabel),
    validateUpdate: (runtimeClass, old) =>
      checkImmutable('handler', getOwn(runtimeClass, 'handler'), getOwn(old, 'handler')),
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  },
};
