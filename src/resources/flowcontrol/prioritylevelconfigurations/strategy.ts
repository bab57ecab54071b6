import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { isSet, makeObjectAt, numberAt, objectAt, setDefault, stringAt } from '../../../meta/read-field.ts';
import { checkConditionTypes } from '../../rules/fields/condition-types.ts';
import { allFields, keepMetadata } from '../../rules/fields/keep-metadata.ts';

/**
 * The strategy of priority levels. Each limits concurrent requests, and queues or rejects the rest.
 */
export const strategy: Strategy = {
  default: defaultPriorityLevel,
  validate: validatePriorityLevel,
  subresources: { status: { ...keepMetadata(allFields), validateUpdate: checkConditionTypes } },
};

const queueDefaults = { handSize: 8, queues: 64, queueLengthLimit: 50 };

function defaultPriorityLevel(level: JsonObject): void {
  const spec = objectAt(level, 'spec');
  if (!isSet(spec, 'limited')) return;
  const limited = makeObjectAt(spec, 'limited');
  setDefault(limited, 'assuredConcurrencyShares', 30);
  const response = objectAt(limited, 'limitResponse');
  if (!isSet(response, 'queuing')) return;
  const queuing = makeObjectAt(response, 'queuing');
  for (const [name, value] of Object.entries(queueDefaults)) setDefault(queuing, name, value);
}

function validatePriorityLevel(level: JsonObject): FieldError[] {
  const spec = objectAt(level, 'spec');
  const type = stringAt(spec, 'type');
  const misnamed = (stringAt(objectAt(level, 'metadata'), 'name') === 'exempt') !== (type === 'Exempt');
  return [
    ...(misnamed ? [invalid('spec.type', type, "type must be 'Exempt' if and only if name is 'exempt'")] : []),
    ...typeErrors(spec, type),
  ];
}

function typeErrors(spec: JsonObject, type: string): FieldError[] {
  switch (type) {
    case 'Exempt':
      return isSet(spec, 'limited') ? [forbidden('spec.limited', 'must be nil if the type is not Limited')] : [];
    case 'Limited':
      return isSet(spec, 'limited')
        ? limitedErrors(objectAt(spec, 'limited'))
        : [required('spec.limited', 'must not be empty when type is Limited')];
    default:
      return [notSupported('spec.type', type, ['Exempt', 'Limited'])];
  }
}

function limitedErrors(limited: JsonObject): FieldError[] {
  const path = 'spec.limited';
  const shares = numberAt(limited, 'assuredConcurrencyShares') ?? 0;
  return [
    ...(shares <= 0 ? [invalid(`${path}.assuredConcurrencyShares`, shares, 'must be positive')] : []),
    ...responseErrors(objectAt(limited, 'limitResponse'), `${path}.limitResponse`),
  ];
}

function responseErrors(response: JsonObject, path: string): FieldError[] {
  const type = stringAt(response, 'type');
  switch (type) {
    case 'Reject':
      return isSet(response, 'queuing')
        ? [forbidden(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')]
        : [];
    case 'Queue':
      return isSet(response, 'queuing')
        ? queueErrors(objectAt(response, 'queuing'), `${path}.queuing`)
        : [required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')];
    default:
      return [notSupported(`${path}.type`, type, ['Queue', 'Reject'])];
  }
}

const queuesLimit = 10_000_000;

function queueErrors(queuing: JsonObject, path: string): FieldError[] {
  const [length, queues, hand] = ['queueLengthLimit', 'queues', 'handSize'].map((name) => numberAt(queuing, name) ?? 0);
  const positive = (name: string, value: number): FieldError[] =>
    value <= 0 ? [invalid(`${path}.${name}`, value, 'must be positive')] : [];
  const most = queues ?? 0;
  return [
    ...positive('queueLengthLimit', length ?? 0),
    ...positive('queues', most),
    ...(most > queuesLimit ? [invalid(`${path}.queues`, most, `must not be greater than ${queuesLimit}`)] : []),
    ...positive('handSize', hand ?? 0),
    ...handErrors(hand ?? 0, most, `${path}.handSize`),
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
