import type { ApiObject, ObjectMetadata } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { StoredMetadata } from './workload.ts';

/** A port of a Service. */
export interface ServicePort {
  name?: string;
  protocol?: string;
  port: number;
  targetPort?: number | string;
  appProtocol?: string;
}

/** A Service that a server has stored. */
export interface Service extends ApiObject {
  metadata: StoredMetadata;
  spec: {
    selector?: Record<string, string>;
    clusterIP?: string;
    ipFamilies?: string[];
    ports?: ServicePort[];
    publishNotReadyAddresses?: boolean;
    type?: string;
  };
}

/** A port of endpoints. */
export interface EndpointPort {
  name?: string;
  port: number;
  protocol?: string;
  appProtocol?: string;
}

/** A reference to the pod of an endpoint. */
export interface PodReference {
  kind: string;
  namespace?: string;
  name: string;
  uid: string;
}

/** An address of Endpoints. */
export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: PodReference;
}

/** Addresses with the same ports. */
export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}

/** The Endpoints of a Service. */
export interface Endpoints extends ApiObject {
  metadata: ObjectMetadata;
  subsets?: EndpointSubset[];
}

/** The resource of Services. */
export const services: ResourceReference<Service> = { group: '', version: 'v1', resource: 'services' };

/** The resource of Endpoints. */
export const endpoints: ResourceReference<Endpoints> = { group: '', version: 'v1', resource: 'endpoints' };
