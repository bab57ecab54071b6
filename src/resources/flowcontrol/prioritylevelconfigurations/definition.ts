import type { PriorityLevelConfiguration, QueuingConfiguration } from '../../../gen/stored/flowcontrol-v1.ts';
import { builtIn } from '../../built-in.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { checkConditionTypes } from '../../rules/fields/field-checks.ts';
import { allFields, keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { levelConversion } from './convert.ts';
import { validatePriorityLevel } from './validate.ts';

/**
 * The strategy of priority levels. Each limits concurrent requests, and queues or rejects the rest.
 */
const strategy: Strategy<PriorityLevelConfiguration> = {
  validate: validatePriorityLevel,
  subresources: { status: { ...keepMetadata(allFields), validateUpdate: checkConditionTypes } },
};

/** The columns of priority levels. */
const columns: readonly Column<PriorityLevelConfiguration>[] = [
  nameColumn,
  textColumn('Type', 'Whether requests of the level are limited.', ({ spec }) => spec.type),
  { ...sharesColumn('AssuredConcurrencyShares'), until: '1.26' },
  { ...sharesColumn('NominalConcurrencyShares'), since: '1.26' },
  textColumn('Queues', 'Number of queues for waiting requests.', queuingCell('queues')),
  textColumn('HandSize', 'Number of queues that a flow can use.', queuingCell('handSize')),
  textColumn('QueueLengthLimit', 'Number of requests that can wait in a queue.', queuingCell('queueLengthLimit')),
  ageColumn,
];

function sharesColumn(name: string): Column<PriorityLevelConfiguration> {
  return textColumn(
    name,
    'Share of the requests that are served at the same time.',
    ({ spec }) => spec.limited?.nominalConcurrencyShares ?? orNone(''),
  );
}

function queuingCell(field: keyof QueuingConfiguration): (object: PriorityLevelConfiguration) => number | string {
  return ({ spec }) => spec.limited?.limitResponse.queuing?.[field] ?? orNone('');
}

/** The resource `prioritylevelconfigurations` of the group `flowcontrol`. */
export const priorityLevelConfigurations = builtIn<PriorityLevelConfiguration>({
  group: 'flowcontrol',
  resource: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
  versions: {
    v1: { introduced: '1.29' },
    v1beta3: {
      introduced: '1.26',
      deprecated: { since: '1.29', removed: '1.32', replacement: 'v1' },
      conversion: levelConversion('v1beta3'),
    },
    v1beta2: {
      introduced: '1.23',
      deprecated: { since: '1.26', removed: '1.29', replacement: 'v1beta3' },
      conversion: levelConversion('v1beta2'),
    },
    v1beta1: {
      introduced: '1.20',
      deprecated: { since: '1.23', removed: '1.26', replacement: 'v1beta2' },
      conversion: levelConversion('v1beta1'),
    },
  },
  subresources: [statusSubresource],
  columns,
  strategy,
});
