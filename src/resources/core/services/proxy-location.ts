import type { Endpoints, EndpointSubset, ObjectReference, Pod, Service } from '../../../gen/types/core-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { LocateConnect, LocatedRequest } from '../../../registry/definition/connect-definition.ts';
import { notFound, StatusError } from '../../../status/status-error.ts';

/** Reads of the objects behind a Service; undefined if there is none. */
interface ServiceLookups {
  readonly findEndpoints: (namespace: string, name: string, signal: AbortSignal) => Promise<JsonObject | undefined>;
  readonly findPod: (namespace: string, name: string, signal: AbortSignal) => Promise<JsonObject | undefined>;
}

/** An address of a Service, with the object that it stands for. */
interface EndpointAddress {
  readonly ip: string;
  readonly port: number;
  readonly targetRef: ObjectReference | undefined;
}

/**
 * Locates the server behind `services/proxy`: a ready address of the named port, chosen at random.
 * Only addresses of pods of the same namespace are used, so that a writer of Endpoints can lead
 * this server to no other machine (CVE-2015-7528).
 */
export function locateService({ findEndpoints, findPod }: ServiceLookups): LocateConnect {
  return async (request) => {
    const { namespace, name, object, port, signal } = request;
    const portName = portNameOf(object, name, port);
    const endpoints = await findEndpoints(namespace, name, signal);
    // kube-apiserver names the resource of the request here, not the missing object's.
    if (!endpoints) throw notFound({ group: '', resource: 'services' }, name);
    const { subsets = [] } = endpoints as Endpoints;
    if (subsets.length === 0) throw noEndpoints(name);
    for (const { ip, port: target, targetRef } of shuffled(addressesOf(subsets, portName))) {
      if (targetRef?.namespace !== namespace) continue;
      const pod = await findPod(namespace, targetRef.name ?? '', signal);
      if (!pod || !addressesOfPod(pod).includes(ip)) continue;
      const scheme = request.scheme === 'https' ? 'https' : 'http';
      return { scheme, host: ip, port: String(target), path: '', query: '', isNodeAgent: false };
    }
    throw noEndpoints(nameInUrl(request));
  };
}

/** The name of a port of the Service; '' is the name of its only port. */
function portNameOf({ spec }: Service, name: string, port: string): string {
  if (!/^[+-]?\d+$/.test(port)) return port;
  const known = spec?.ports?.find((one) => one.port === Number(port));
  if (known) return known.name ?? '';
  throw unavailable(`no service port ${Number(port)} found for service ${JSON.stringify(name)}`);
}

function addressesOf(subsets: readonly EndpointSubset[], portName: string): readonly EndpointAddress[] {
  return subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports
      .filter(({ name = '' }) => name === portName)
      .flatMap(({ port }) => addresses.map(({ ip, targetRef }) => ({ ip, port, targetRef }))),
  );
}

function addressesOfPod({ status }: Pod): readonly (string | undefined)[] {
  return [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)];
}

/** Begins at a random item; most often the first one is used. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

function nameInUrl({ scheme, name, port }: LocatedRequest): string {
  if (scheme !== '') return `${scheme}:${name}:${port}`;
  return port === '' ? name : `${name}:${port}`;
}

function noEndpoints(name: string): StatusError {
  return unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

function unavailable(message: string): StatusError {
  return new StatusError('ServiceUnavailable', message);
}
