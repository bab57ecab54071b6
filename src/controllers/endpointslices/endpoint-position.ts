import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { SliceEndpoint } from '../resources.ts';

/** The fields of an endpoint that say where it is. */
export type EndpointPosition = Pick<SliceEndpoint, 'nodeName' | 'zone' | 'topology'>;

/**
 * The position of the endpoints on a node with labels, in a version of the API: v1 has the zone,
 * v1beta1 has labels, the region included.
 */
export function endpointPosition(
  nodeName: string,
  labels: Readonly<Record<string, string>>,
  version: string,
  { labelDomain }: Identifiers,
): EndpointPosition {
  const zoneLabel = `topology.${labelDomain}/zone`;
  const zone = labels[zoneLabel];
  if (version === 'v1') return { nodeName, ...(zone === undefined ? {} : { zone }) };
  const regionLabel = `topology.${labelDomain}/region`;
  const region = labels[regionLabel];
  return {
    nodeName,
    topology: {
      [`${labelDomain}/hostname`]: nodeName,
      ...(zone === undefined ? {} : { [zoneLabel]: zone }),
      ...(region === undefined ? {} : { [regionLabel]: region }),
    },
  };
}
