import type {
  PriorityLevelConfiguration,
  QueuingConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfigurationSpec,
} from '../../../gen/stored/flowcontrol-v1beta2.ts';
import { builtIn } from '../../built-in.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Column } from '../../../codec/table.ts';
import { orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkConditionTypes } from '../../rules/fields/check.ts';
import { allFields, keepMetadata } from '../../rules/fields/keep-metadata.ts';

/**
 * The strategy of priority levels. Each limits concurrent requests, and queues or rejects the rest.
 */
const strategy: Strategy<PriorityLevelConfiguration> = {
  default: defaultPriorityLevel,
  validate: validatePriorityLevel,
  subresources: { status: { ...keepMetadata(allFields), validateUpdate: checkConditionTypes } },
};

function defaultPriorityLevel({ spec: { limited } }: PriorityLevelConfiguration): void {
  if (!limited) return;
  limited.assuredConcurrencyShares ??= 30;
  const { queuing } = limited.limitResponse;
  if (!queuing) return;
  queuing.handSize ??= 8;
  queuing.queues ??= 64;
  queuing.queueLengthLimit ??= 50;
}

function validatePriorityLevel({ metadata, spec }: PriorityLevelConfiguration): FieldError[] {
  const { type } = spec;
  const misnamed = (metadata.name === 'exempt') !== (type === 'Exempt');
  return [
    ...(misnamed ? [invalid('spec.type', type, "type must be 'Exempt' if and only if name is 'exempt'")] : []),
    ...typeErrors(spec),
  ];
}

function typeErrors({ type, limited }: PriorityLevelConfigurationSpec): FieldError[] {
  switch (type) {
    case 'Exempt':
      return limited ? [forbidden('spec.limited', 'must be nil if the type is not Limited')] : [];
    case 'Limited':
      return limited ? limitedErrors(limited) : [required('spec.limited', 'must not be empty when type is Limited')];
    default:
      return [notSupported('spec.type', type, ['Exempt', 'Limited'])];
  }
}

function limitedErrors(limited: LimitedPriorityLevelConfiguration): FieldError[] {
  const path = 'spec.limited';
  const { assuredConcurrencyShares: shares, limitResponse } = limited;
  return [
    ...(shares <= 0 ? [invalid(`${path}.assuredConcurrencyShares`, shares, 'must be positive')] : []),
    ...responseErrors(limitResponse, `${path}.limitResponse`),
  ];
}

function responseErrors({ type, queuing }: LimitResponse, path: string): FieldError[] {
  switch (type) {
    case 'Reject':
      return queuing ? [forbidden(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')] : [];
    case 'Queue':
      return queuing
        ? queueErrors(queuing, `${path}.queuing`)
        : [required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')];
    default:
      return [notSupported(`${path}.type`, type, ['Queue', 'Reject'])];
  }
}

const queuesLimit = 10_000_000;

function queueErrors({ queueLengthLimit, queues, handSize }: QueuingConfiguration, path: string): FieldError[] {
  const positive = (name: string, value: number): FieldError[] =>
    value <= 0 ? [invalid(`${path}.${name}`, value, 'must be positive')] : [];
  return [
    ...positive('queueLengthLimit', queueLengthLimit),
    ...positive('queues', queues),
    ...(queues > queuesLimit ? [invalid(`${path}.queues`, queues, `must not be greater than ${queuesLimit}`)] : []),
    ...positive('handSize', handSize),
    ...handErrors(handSize, queues, `${path}.handSize`),
  ];
}

/** The bits of the hash by which a flow is dealt its hand of queues. */
const hashBits = 60;

function handErrors(hand: number, queues: number, field: string): FieldError[] {
  if (hand <= 0) return [];
  if (hand > queues) return [invalid(field, hand, `should not be greater than queues (${queues})`)];
  if (Math.ceil(Math.log2(queues) * hand) <= hashBits) return [];
  const needed = `required entropy bits of deckSize ${queues} and handSize ${hand}`;
  return [invalid(field, hand, `${needed} should not be greater than ${hashBits}`)];
}

/** The columns of priority levels. */
const columns: readonly Column<PriorityLevelConfiguration>[] = [
  nameColumn,
  textColumn('Type', 'Whether requests of the level are limited.', ({ spec }) => spec.type),
  textColumn('AssuredConcurrencyShares', 'Share of the requests that are served at the same time.', ({ spec }) =>
    spec.limited ? spec.limited.assuredConcurrencyShares : orNone(''),
  ),
  textColumn('Queues', 'Number of queues for waiting requests.', queuingCell('queues')),
  textColumn('HandSize', 'Number of queues that a flow can use.', queuingCell('handSize')),
  textColumn('QueueLengthLimit', 'Number of requests that can wait in a queue.', queuingCell('queueLengthLimit')),
  ageColumn,
];

function queuingCell(field: keyof QueuingConfiguration): (object: PriorityLevelConfiguration) => number | string {
  return ({ spec }) => spec.limited?.limitResponse.queuing?.[field] ?? orNone('');
}

/** The resource `prioritylevelconfigurations` of the group `flowcontrol`. */
export const priorityLevelConfigurations = builtIn<PriorityLevelConfiguration>({
  group: 'flowcontrol',
  resource: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
  versions: {
    v1beta2: { introduced: '1.23', deprecated: { since: '1.26', removed: '1.29', replacement: 'v1beta3' } },
    v1beta1: { introduced: '1.20', deprecated: { since: '1.23', removed: '1.26', replacement: 'v1beta2' } },
  },
  subresources: [statusSubresource],
  columns,
  strategy,
});
