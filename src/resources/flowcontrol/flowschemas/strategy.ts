import type { FlowSchema } from '../../../gen/stored/flowcontrol-v1beta2.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { checkConditionTypes } from '../../rules/fields/condition-types.ts';
import { allFields, keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { validateFlowSchema } from './validate.ts';

/** The strategy of flow schemas. Each assigns requests to a priority level. */
export const strategy: Strategy<FlowSchema> = {
  default: ({ spec }) => {
    spec.matchingPrecedence ??= 1000;
  },
  validate: validateFlowSchema,
  subresources: { status: { ...keepMetadata(allFields), validateUpdate: checkConditionTypes } },
};
