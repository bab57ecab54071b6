import type { FlowSchema } from '../../../gen/stored/flowcontrol-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns, rowKey } from './columns.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { checkConditionTypes } from '../../rules/fields/field-checks.ts';
import { allFields, keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { validateFlowSchema } from './validate.ts';

/** The strategy of flow schemas. Each assigns requests to a priority level. */
const strategy: Strategy<FlowSchema> = {
  default: ({ spec }) => {
    spec.matchingPrecedence ??= 1000;
  },
  validate: validateFlowSchema,
  subresources: { status: { ...keepMetadata(allFields), validateUpdate: checkConditionTypes } },
};

/** The resource `flowschemas` of the group `flowcontrol`. */
export const flowSchemas = builtIn<FlowSchema>({
  group: 'flowcontrol',
  resource: 'flowschemas',
  kind: 'FlowSchema',
  versions: {
    v1: { introduced: '1.29' },
    v1beta3: { introduced: '1.26', deprecated: { since: '1.29', removed: '1.32', replacement: 'v1' } },
    v1beta2: { introduced: '1.23', deprecated: { since: '1.26', removed: '1.29', replacement: 'v1beta3' } },
    v1beta1: { introduced: '1.20', deprecated: { since: '1.23', removed: '1.26', replacement: 'v1beta2' } },
  },
  subresources: [statusSubresource],
  columns,
  rowKey,
  strategy,
});
