import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { isSet, makeObjectAt, numberAt, objectAt, setDefault, stringAt } from '../../../meta/read-field.ts';
import { keepMetadata } from '../../rules/keep-metadata.ts';

/** Priority levels: how many requests run at once, and what becomes of the others. */
export const definition: ResourceDefinition = {
  group: 'flowcontrol',
  resource: 'prioritylevelconfigurations',
  strategy: {
    default: defaultPriorityLevel,
    validate: validatePriorityLevel,
    allowUnconditionalUpdate: false,
    subresources: { status: { prepareForUpdate: keepMetadata() } },
  },
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

function queueErrors(queuing: JsonObject, path: string): FieldError[] {
  const [queues, hand] = [numberAt(queuing, 'queues') ?? 0, numberAt(queuing, 'handSize') ?? 0];
  const positive = Object.keys(queueDefaults)
    .filter((name) => (numberAt(queuing, name) ?? 0) <= 0)
    .map((name) => invalid(`${path}.${name}`, numberAt(queuing, name) ?? 0, 'must be positive'));
  return hand > queues
    ? [...positive, invalid(`${path}.handSize`, hand, `should not be greater than queues (${queues})`)]
    : positive;
}
