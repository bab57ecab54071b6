import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { eventConversions } from './convert.ts';
import { validateEvent } from './validate.ts';

/** The parts of the object's reference that events are selected by. */
const references = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** Events, of the core group and of `events`. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'events',
  strategy: {
    validate: (event, { identifiers }) => validateEvent(event, identifiers),
    allowCreateOnUpdate: true,
    expires: true,
    dependents: () => 'none',
    selectableFields: [
      ...references.map((name) => `involvedObject.${name}`),
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
    fieldsOf,
  },
  conversions: eventConversions,
};

function fieldsOf(event: JsonObject): Record<string, string> {
  const involved = objectAt(event, 'involvedObject');
  const source = stringAt(objectAt(event, 'source'), 'component');
  return {
    ...Object.fromEntries(references.map((name) => [`involvedObject.${name}`, stringAt(involved, name)])),
    reason: stringAt(event, 'reason'),
    reportingComponent: stringAt(event, 'reportingComponent'),
    source: source === '' ? stringAt(event, 'reportingComponent') : source,
    type: stringAt(event, 'type'),
  };
}
