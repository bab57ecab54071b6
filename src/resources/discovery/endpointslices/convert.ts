import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';

/**
 * v1beta1 says where an endpoint is in `topology`; v1 has `zone` and `nodeName`, and shows the rest, read-only, as
 * `deprecatedTopology` (spec 9.3).
 */
export const endpointSliceConversions: ResourceDefinition['conversions'] = {
  'discovery/v1beta1': {
    toStorage: (slice, identifiers) => withEndpoints(slice, (endpoint) => endpointToStorage(endpoint, identifiers)),
    fromStorage: (slice, identifiers) => withEndpoints(slice, (endpoint) => endpointFromStorage(endpoint, identifiers)),
  },
};

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
  const labels = { ...objectAt({ topology }, 'topology') };
  const zone = stringAt(labels, zoneLabel(identifiers));
  const host = stringAt(labels, hostLabel(identifiers));
  delete labels[zoneLabel(identifiers)];
  // The host name says what `nodeName` says, where both are there.
  if (!isSet(endpoint, 'nodeName') || stringAt(endpoint, 'nodeName') === host) delete labels[hostLabel(identifiers)];
  return {
    ...endpoint,
    ...(Object.keys(labels).length > 0 ? { deprecatedTopology: labels } : {}),
    ...(host !== '' && !isSet(endpoint, 'nodeName') ? { nodeName: host } : {}),
    ...(zone === '' ? {} : { zone }),
  };
}

function endpointFromStorage(
  { deprecatedTopology, zone, ...endpoint }: JsonObject,
  identifiers: Identifiers,
): JsonObject {
  const topology = { ...objectAt({ topology: deprecatedTopology ?? {} }, 'topology') };
  if (typeof zone === 'string') topology[zoneLabel(identifiers)] = zone;
  const nodeName = stringAt(endpoint, 'nodeName');
  if (nodeName !== '') topology[hostLabel(identifiers)] ??= nodeName;
  return Object.keys(topology).length > 0 ? { ...endpoint, topology } : endpoint;
}
