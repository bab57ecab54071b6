import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { isSet, numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { checkString } from '../../rules/check.ts';

/** Longest texts of an event that says when it was, in characters. */
const textLimits = [
  ['reportingInstance', 128],
  ['action', 128],
  ['reason', 128],
] as const;
const messageLimit = 1024;

/** Every error of an event. One with `eventTime` is of the newer form and must say who reports what. */
export function validateEvent(event: JsonObject, { prefix }: Identifiers): FieldError[] {
  return isSet(event, 'eventTime')
    ? [...namespaceErrors(event, ['default', `${prefix}system`]), ...reportErrors(event), ...seriesErrors(event)]
    : namespaceErrors(event, ['default', '']);
}

/** An event stands in the namespace of its object; those of cluster-scoped objects in one of `clusterNamespaces`. */
function namespaceErrors(event: JsonObject, clusterNamespaces: readonly string[]): FieldError[] {
  const namespace = stringAt(objectAt(event, 'metadata'), 'namespace');
  const involved = stringAt(objectAt(event, 'involvedObject'), 'namespace');
  const agrees = involved === '' ? clusterNamespaces.includes(namespace) : involved === namespace;
  return agrees ? [] : [invalid('involvedObject.namespace', involved, 'does not match event.namespace')];
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

/** A series has happened at least twice. */
function seriesErrors(event: JsonObject): FieldError[] {
  if (!isSet(event, 'series')) return [];
  const series = objectAt(event, 'series');
  return [
    ...((numberAt(series, 'count') ?? 0) < 2
      ? [invalid('series.count', numberAt(series, 'count') ?? null, 'should be at least 2')]
      : []),
    ...(isSet(series, 'lastObservedTime') ? [] : [required('series.lastObservedTime')]),
  ];
}
