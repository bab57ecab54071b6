import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { EndpointPort, PodReference } from './service.ts';
import type { StoredMetadata } from './workload.ts';

/** An endpoint of an EndpointSlice. */
export interface SliceEndpoint {
  addresses: string[];
  conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean };
  hostname?: string;
  nodeName?: string;
  zone?: string;
  /** Of v1beta1 alone. */
  topology?: Record<string, string>;
  targetRef?: PodReference;
}

/** An EndpointSlice that a server has stored. */
export interface EndpointSlice extends ApiObject {
  metadata: StoredMetadata;
  addressType: string;
  endpoints: SliceEndpoint[];
  ports?: EndpointPort[];
}

/** The resource of EndpointSlices. */
export function endpointSlices({ apiDomain }: Identifiers): ResourceReference<EndpointSlice> {
  return { group: `discovery.${apiDomain}`, version: 'v1', resource: 'endpointslices' };
}
