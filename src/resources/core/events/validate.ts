import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsSubdomain, validateNameBase, validateQualifiedName } from '../../../meta/validate-name.ts';
import { standardFinalizersOf, validateFinalizerOrigins } from '../../../registry/definition/validate-metadata.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { isSet, numberAt, objectAt, sameValue, stringAt } from '../../../meta/read-field.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkString } from '../../rules/fields/check.ts';

/** Maximum lengths in an event with `eventTime`, in characters. */
const textLimits = [
  ['reportingInstance', 128],
  ['action', 128],
  ['reason', 128],
] as const;
const messageLimit = 1024;

/**
 * All errors of an event. An event with `eventTime` is of the newer form and must name its
 * reporter.
 */
export function validateEvent(event: JsonObject, { prefix }: Identifiers): FieldError[] {
  return isSet(event, 'eventTime')
    ? [...clusterErrors(event, ['default', `${prefix}system`]), ...reportErrors(event)]
    : [...clusterErrors(event, ['default', '']), ...namespaceErrors(event)];
}

/** Events of cluster-scoped objects are allowed in certain namespaces only. */
function clusterErrors(event: JsonObject, allowed: readonly string[]): FieldError[] {
  const [namespace, involved] = namespacesOf(event);
  return involved !== '' || allowed.includes(namespace) ? [] : [elsewhere(involved)];
}

/** An event of the older form must be in the namespace of its object. */
function namespaceErrors(event: JsonObject): FieldError[] {
  const [namespace, involved] = namespacesOf(event);
  return involved === '' || involved === namespace ? [] : [elsewhere(involved)];
}

function namespacesOf(event: JsonObject): [own: string, involved: string] {
  return [stringAt(objectAt(event, 'metadata'), 'namespace'), stringAt(objectAt(event, 'involvedObject'), 'namespace')];
}

function elsewhere(involved: string): FieldError {
  return invalid('involvedObject.namespace', involved, 'does not match event.namespace');
}

/**
 * The errors of an event in `events/v1`: required fields that are missing, and fields of the older
 * form that are set.
 */
export function validateStrictEvent(event: JsonObject, identifiers: Identifiers): FieldError[] {
  const metadata = objectAt(event, 'metadata');
  const type = stringAt(event, 'type');
  const source = objectAt(event, 'source');
  const old = [
    ...['firstTimestamp', 'lastTimestamp'].filter((name) => isSet(event, name)),
    ...((numberAt(event, 'count') ?? 0) === 0 ? [] : ['count']),
    ...(stringAt(source, 'component') === '' && stringAt(source, 'host') === '' ? [] : ['source']),
  ];
  return [
    ...baseErrors(stringAt(metadata, 'generateName')),
    // A missing name is an error of all kinds.
    ...(isSet(metadata, 'name') ? checkString('metadata.name', stringAt(metadata, 'name'), validateDnsSubdomain) : []),
    ...validateFinalizerOrigins(event, standardFinalizersOf(identifiers)),
    ...seriesErrors(event),
    ...(isSet(event, 'eventTime') ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...old.map((name) => invalid(name, '', 'needs to be unset')),
  ];
}

function baseErrors(base: string): readonly FieldError[] {
  const messages = base === '' ? [] : validateNameBase(validateDnsSubdomain, base);
  return messages.map((message) => invalid('metadata.generateName', base, message));
}

/**
 * Immutable fields of an event in `events/v1`, with the names that messages use. Only the series
 * may change.
 */
const fixed = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
] as const;

/** The errors of an update in `events/v1`. */
export function validateStrictUpdate(event: JsonObject, old: JsonObject, identifiers: Identifiers): FieldError[] {
  return [
    // Events of the core group may have any finalizer.
    ...validateFinalizerOrigins(event, standardFinalizersOf(identifiers)),
    ...(sameValue(objectAt(event, 'series'), objectAt(old, 'series')) ? [] : seriesErrors(event)),
    ...fixed.flatMap(([name, shown]) => checkImmutable(shown, getOwn(event, name), getOwn(old, name))),
  ];
}

function reportErrors(event: JsonObject): FieldError[] {
  const controller = stringAt(event, 'reportingComponent');
  return [
    ...(controller === '' ? [required('reportingController')] : []),
    ...checkString('reportingController', controller, validateQualifiedName),
    ...textLimits.flatMap(([name, limit]) => textErrors(name, stringAt(event, name), limit)),
    ...(stringAt(event, 'message').length > messageLimit
      ? [invalid('message', '', `can have at most ${messageLimit} characters`)]
      : []),
  ];
}

function textErrors(field: string, text: string, limit: number): FieldError[] {
  if (text === '') return [required(field)];
  return text.length > limit ? [invalid(field, '', `can have at most ${limit} characters`)] : [];
}

/** Checks the series of an event: it has a count of at least two and a time. */
function seriesErrors(event: JsonObject): FieldError[] {
  if (!isSet(event, 'series')) return [];
  const series = objectAt(event, 'series');
  return [
    ...((numberAt(series, 'count') ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(isSet(series, 'lastObservedTime') ? [] : [required('series.lastObservedTime')]),
  ];
}
