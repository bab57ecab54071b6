import type { Event } from '../../../gen/stored/core-v1.ts';
import { validatePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { standardFinalizersOf, validateFinalizerOrigins } from '../../../registry/definition/validate-metadata.ts';
import { validateEvent, validateStrictEvent, validateStrictUpdate } from './validate.ts';

/** The fields of `involvedObject` that field selectors support. */
const references = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/** The strategy of events, of the core group and of the group `events`. */
export const strategy: Strategy<Event> = {
  plainFinalizers: true,
  validateName: validatePathSegment,
  validate: (event, { identifiers }) => validateEvent(event, identifiers),
  validateCreate: (event, context) => (isStrict(context) ? validateStrictEvent(event, context.identifiers) : []),
  validateUpdate: (event, old, context) =>
    isStrict(context) ? validateStrictUpdate(event, old, context.identifiers) : [],
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
  fieldAliases: {
    events: {
      reason: 'reason',
      type: 'type',
      reportingController: 'reportingComponent',
      ...Object.fromEntries(references.map((name) => [`regarding.${name}`, `involvedObject.${name}`])),
    },
  },
  fieldsOf: ({ involvedObject, reason = '', reportingComponent, source, type = '' }) => ({
    ...Object.fromEntries(references.map((name) => [`involvedObject.${name}`, involvedObject[name] ?? ''])),
    reason,
    reportingComponent,
    source: source.component || reportingComponent,
    type,
  }),
};

/**
 * The hooks of releases in which updates through `events/v1` may change any field, as through the
 * older versions. All metadata is validated, as by the strict rules.
 */
export const rulesBeforeStrictUpdates: Partial<Strategy> = {
  validateUpdate: (event, _, context) =>
    isStrict(context) ? validateFinalizerOrigins(event, standardFinalizersOf(context.identifiers)) : [],
};

/** True for `events/v1`, the only version that requires the fields of the newer form (spec 9.3). */
function isStrict({ group, version }: StrategyContext): boolean {
  return group !== '' && version === 'v1';
}
