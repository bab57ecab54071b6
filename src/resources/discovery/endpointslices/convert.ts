import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';

/**
 * The conversions of endpoint slices (spec 9.3). v1beta1 has the position of an endpoint in
 * `topology`. v1 has `zone` and `nodeName`, and the rest in the read-only `deprecatedTopology`.
 */
export const endpointSliceConversions = {
  'discovery/v1beta1': {
    toStorage: (slice, identifiers) => withEndpoints(slice, (endpoint) => endpointToStorage(endpoint, identifiers)),
    fromStorage: (slice, identifiers) => withEndpoints(slice, (endpoint) => endpointFromStorage(endpoint, identifiers)),
  },
} satisfies Readonly<Record<string, Conversion>>;

function withEndpoints(slice: JsonObject, convert: (endpoint: JsonObject) => JsonObject): JsonObject {
  return isSet(slice, 'endpoints') ? { ...slice, endpoints: objectsAt(slice, 'endpoints').map(convert) } : slice;
}

function zoneLabel({ labelDomain }: Identifiers): string {
  return `topology.${labelDomain}/zone`;
}

function hostLabel({ labelDomain }: Identifiers): string {
  return `${labelDomain}/hostname`;
}

function endpointToStorage({ topology, ...endpoint }: JsonObject, identifiers: Identifiers): JsonObject {
  if (topology === undefined) return endpoint;
  const given = objectAt({ topology }, 'topology');
  const zone = stringAt(given, zoneLabel(identifiers));
  const host = stringAt(given, hostLabel(identifiers));
  // The label of the host name is dropped only if it repeats `nodeName` or becomes it.
  const isNodeName = !isSet(endpoint, 'nodeName') || stringAt(endpoint, 'nodeName') === host;
  const labels = without(
    given,
    isNodeName ? [zoneLabel(identifiers), hostLabel(identifiers)] : [zoneLabel(identifiers)],
  );
  return {
    ...endpoint,
    ...(labels ? { deprecatedTopology: labels } : {}),
    ...(host !== '' && !isSet(endpoint, 'nodeName') ? { nodeName: host } : {}),
    ...(zone === '' ? {} : { zone }),
  };
}

/**
 * The labels without the named ones. The same object if it has none of them; undefined if no label
 * remains.
 */
function without(labels: JsonObject, names: readonly string[]): JsonObject | undefined {
  const count = Object.keys(labels).length - names.filter((name) => Object.hasOwn(labels, name)).length;
  if (count === 0) return undefined;
  if (!names.some((name) => Object.hasOwn(labels, name))) return labels;
  const rest = { ...labels };
  for (const name of names) delete rest[name];
  return rest;
}

function endpointFromStorage(
  { deprecatedTopology, zone, ...endpoint }: JsonObject,
  identifiers: Identifiers,
): JsonObject {
  const given = objectAt({ topology: deprecatedTopology ?? {} }, 'topology');
  const nodeName = stringAt(endpoint, 'nodeName');
  const topology = typeof zone === 'string' || nodeName !== '' ? { ...given } : given;
  if (typeof zone === 'string') topology[zoneLabel(identifiers)] = zone;
  if (nodeName !== '') topology[hostLabel(identifiers)] ??= nodeName;
  return Object.keys(topology).length > 0 ? { ...endpoint, topology } : endpoint;
}
