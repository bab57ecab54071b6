import type { Event } from '../../../gen/stored/core-v1.ts';
import {
  validatePathSegment,
  validateDnsSubdomain,
  validateNameBase,
  validateQualifiedName,
} from '../../../meta/validate-name.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { standardFinalizersOf, validateFinalizerOrigins } from '../../../registry/definition/validate-metadata.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';

/** Maximum lengths in an event with `eventTime`, in characters. */
const textLimits = { reportingInstance: 128, action: 128, reason: 128 };
const messageLimit = 1024;

/**
 * All errors of an event. An event with `eventTime` is of the newer form and must name its
 * reporter. One of the older form must be in the namespace of its object. Events of cluster-scoped
 * objects are allowed in certain namespaces only.
 */
function validateEvent(event: Event, { prefix }: Identifiers, reporter: string): readonly FieldError[] {
  const { namespace = '' } = event.metadata;
  const { namespace: involved = '' } = event.involvedObject;
  const isNew = event.eventTime !== null;
  const isAllowed =
    involved === '' ? ['default', isNew ? `${prefix}system` : ''].includes(namespace) : isNew || involved === namespace;
  const elsewhere = invalid('involvedObject.namespace', involved, 'does not match event.namespace');
  return [...(isAllowed ? [] : [elsewhere]), ...(isNew ? reportErrors(event, reporter) : [])];
}

function reportErrors(given: Event, reporter: string): readonly FieldError[] {
  const event = new FieldCursor(given);
  const { reportingComponent, message = '' } = given;
  if (reportingComponent === '') event.report(required(reporter));
  event.report(...checkString(reporter, reportingComponent, validateQualifiedName));
  for (const name of ['reportingInstance', 'action', 'reason'] as const) {
    const text = event.at(name);
    const limit = textLimits[name];
    text.mustBeSet();
    if ((text.value ?? '').length > limit) text.reportInvalid(`can have at most ${limit} characters`, '');
  }
  if (message.length > messageLimit) {
    event.at('message').reportInvalid(`can have at most ${messageLimit} characters`, '');
  }
  return event.errors;
}

/**
 * The errors of an event in `events/v1`: required fields that are missing, and fields of the older
 * form that are set.
 */
function validateStrictEvent(event: Event, identifiers: Identifiers): readonly FieldError[] {
  const { metadata, type = '', source, firstTimestamp, lastTimestamp, count = 0, eventTime } = event;
  const { name, generateName: base } = metadata;
  const old = { firstTimestamp, lastTimestamp, count, source: source.component || source.host };
  return [
    ...(base ? checkString('metadata.generateName', base, (text) => validateNameBase(validateDnsSubdomain, text)) : []),
    // A missing name is an error of all kinds.
    ...(name === undefined ? [] : checkString('metadata.name', name, validateDnsSubdomain)),
    ...validateFinalizerOrigins(event, standardFinalizersOf(identifiers)),
    ...seriesErrors(event),
    ...(eventTime === null ? [required('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...Object.entries(old)
      .filter(([, value]) => value)
      .map(([field]) => invalid(field, '', 'needs to be unset')),
  ];
}

/** Immutable fields of an event in `events/v1`. Only the series may change. */
const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingInstance',
] as const;

/** The errors of an update in `events/v1`. */
function validateStrictUpdate(event: Event, old: Event, identifiers: Identifiers): readonly FieldError[] {
  return [
    // Events of the core group may have any finalizer.
    ...validateFinalizerOrigins(event, standardFinalizersOf(identifiers)),
    // An empty series differs from none.
    ...(sameValue(event.series ?? null, old.series ?? null) ? [] : seriesErrors(event)),
    ...fixed.flatMap((name) => checkImmutable(name, event[name], old[name])),
    ...checkImmutable('reportingController', event.reportingComponent, old.reportingComponent),
  ];
}

/** Checks the series of an event: it has a count of at least two and a time. */
function seriesErrors({ series }: Event): readonly FieldError[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ];
}

/** The field of the reporter in errors: before 1.27 always the one of the group `events`. */
function reporterIn({ group, emulated }: StrategyContext): string {
  return group === '' && isSince(emulated.release, '1.27') ? 'reportingComponent' : 'reportingController';
}

/** The fields of `involvedObject` that field selectors support. */
const references = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/** The strategy of events, of the core group and of the group `events`. */
export const strategy: Strategy<Event> = {
  plainFinalizers: true,
  validateName: validatePathSegment,
  validate: (event, context) => validateEvent(event, context.identifiers, reporterIn(context)),
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
