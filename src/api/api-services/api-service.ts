import type { JsonObject } from '../../meta/json-value.ts';
import { isSet, isTrue, numberAt, objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { nameOf } from '../../meta/object-meta.ts';

/** An APIService: who serves a version of a group, and its place in discovery. */
export interface ApiService extends Priorities {
  /** `<version>.<group>` */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  /** The labels as they are in the object: thousands of copies would take memory. */
  readonly labels: JsonObject;
  /** The Service of the server; undefined: this server serves the version. */
  readonly service: ServiceReference | undefined;
  /** PEM of the CAs that verify the server; '' for the CAs of the system. */
  readonly caBundle: string;
  /** True to not verify the server. */
  readonly insecure: boolean;
  /** True if the condition `Available` is. */
  readonly isAvailable: boolean;
  /** The reason of that condition; '' without it. */
  readonly availableReason: string;
}

/** The places of a group, and of a version in its group; higher ones come first. */
export interface Priorities {
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** A port of a Service. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** An APIService whose version another server serves. */
export interface RemoteApiService extends ApiService {
  readonly service: ServiceReference;
}

/** Narrows an APIService. */
export function isRemote(one: ApiService): one is RemoteApiService {
  return one.service !== undefined;
}

/** The name of the APIService of a version. */
export function apiServiceName(group: string, version: string): string {
  return `${version}.${group}`;
}

const defaultPort = 443;

/** Reads an APIService of any version. */
export function readApiService(object: JsonObject): ApiService {
  const spec = objectAt(object, 'spec');
  const conditions = objectsAt(objectAt(object, 'status'), 'conditions');
  const available = conditions.find((one) => stringAt(one, 'type') === 'Available') ?? {};
  return {
    name: nameOf(object),
    labels: objectAt(object, 'metadata', 'labels'),
    group: stringAt(spec, 'group'),
    version: stringAt(spec, 'version'),
    groupPriority: numberAt(spec, 'groupPriorityMinimum') ?? 0,
    versionPriority: numberAt(spec, 'versionPriority') ?? 0,
    service: isSet(spec, 'service') ? referenceIn(objectAt(spec, 'service')) : undefined,
    caBundle: Buffer.from(stringAt(spec, 'caBundle'), 'base64').toString('latin1'),
    insecure: isTrue(spec, 'insecureSkipTLSVerify'),
    isAvailable: stringAt(available, 'status') === 'True',
    availableReason: stringAt(available, 'reason'),
  };
}

function referenceIn(service: JsonObject): ServiceReference {
  return {
    namespace: stringAt(service, 'namespace'),
    name: stringAt(service, 'name'),
    port: numberAt(service, 'port') ?? defaultPort,
  };
}
