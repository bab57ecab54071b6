import { isExtendedResource } from '../../../admission/extended-resource.ts';
import type { Pod } from '../../../controllers/resources.ts';
import type { Container, ContainerExtendedResourceRequest } from '../../../gen/types/core-v1.ts';
import type { DeviceClass, DeviceRequest } from '../../../gen/types/resource-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { amountAt } from '../../../kinds/core/amounts.ts';
import { podAmounts } from '../../../kinds/core/pod-amounts.ts';
import { isSidecar } from '../../../kinds/core/pod.ts';

/** The prefix of the implicit extended resource of a device class. */
function classPrefix({ labelDomain }: Identifiers): string {
  return `deviceclass.resource.${labelDomain}/`;
}

/** The resources of a pod that devices may provide. */
export function extendedResourcesOf({ spec }: Pod, identifiers: Identifiers): readonly string[] {
  const prefix = classPrefix(identifiers);
  return [...podAmounts(spec, 'requests')]
    .filter(([name, { nanos }]) => nanos > 0n && isProvided(name, prefix, identifiers))
    .map(([name]) => name);
}

function isProvided(name: string, prefix: string, { labelDomain }: Identifiers): boolean {
  return name.startsWith(prefix) || isExtendedResource(name, labelDomain);
}

/**
 * The device class that provides a resource: the class in the implicit resource name, or the newest
 * class with that extended resource name.
 */
export function classOfResource(
  name: string,
  classes: readonly DeviceClass[],
  identifiers: Identifiers,
): string | undefined {
  const prefix = classPrefix(identifiers);
  const found = classes
    .filter(({ metadata, spec }) => `${prefix}${metadata?.name}` === name || spec?.extendedResourceName === name)
    .toSorted((a, b) => ageOf(b).localeCompare(ageOf(a)) || (nameOf(a) < nameOf(b) ? -1 : 1));
  return found[0]?.metadata?.name;
}

function ageOf({ metadata }: DeviceClass): string {
  return metadata?.creationTimestamp ?? '';
}

function nameOf({ metadata }: DeviceClass): string {
  return metadata?.name ?? '';
}

/** The requests in the claim for the extended resources of a pod. */
export interface ExtendedRequests {
  readonly requests: readonly DeviceRequest[];
  readonly mappings: readonly ContainerExtendedResourceRequest[];
}

/** A container with its index among all containers of the pod, init containers first. */
interface IndexedContainer {
  readonly container: Container;
  readonly index: number;
  /** True if the container ends before the regular containers start. */
  readonly isPassing: boolean;
}

/** Makes the requests for the extended resources of a pod; `classes` maps resources to classes. */
export function extendedRequests({ spec }: Pod, classes: ReadonlyMap<string, string>): ExtendedRequests {
  const initContainers = spec.initContainers ?? [];
  const containers = [...initContainers, ...(spec.containers ?? [])].map((container, index) => ({
    container,
    index,
    isPassing: index < initContainers.length && !isSidecar(container),
  }));
  const parts = [...classes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, className]) => requestsFor(resource, className, containers));
  const requests = parts.flatMap((part) => part.requests);
  return {
    requests: requests.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    mappings: parts.flatMap(({ mappings }) => mappings),
  };
}

/**
 * The requests for one resource. Init containers reuse the devices of later containers before they
 * get more.
 */
function requestsFor(resource: string, className: string, containers: readonly IndexedContainer[]): ExtendedRequests {
  const mappingOf = ({ container }: IndexedContainer, name: string): ContainerExtendedResourceRequest => ({
    containerName: container.name,
    resourceName: resource,
    requestName: name,
  });
  const lasting = containers
    .filter(({ container, isPassing }) => !isPassing && countOf(container, resource) > 0)
    .map((one) => ({ one, name: requestName(one, resource), count: countOf(one.container, resource) }));
  const passing = containers
    .filter(({ container, isPassing }) => isPassing && countOf(container, resource) > 0)
    .map((one) => {
      const used: string[] = [];
      let missing = countOf(one.container, resource);
      for (const { one: later, name, count } of lasting) {
        if (later.index < one.index || missing <= 0) continue;
        used.push(name);
        missing -= count;
      }
      return { one, used, name: requestName(one, resource), missing };
    });
  const most = passing.reduce<(typeof passing)[number] | undefined>(
    (found, each) => (each.missing > Math.max(0, found?.missing ?? 0) ? each : found),
    undefined,
  );
  const requestOf = (name: string, count: number): DeviceRequest => ({
    name,
    exactly: { deviceClassName: className, allocationMode: 'ExactCount', count },
  });
  return {
    requests: [
      ...(most ? [requestOf(most.name, most.missing)] : []),
      ...lasting.map(({ name, count }) => requestOf(name, count)),
    ],
    mappings: [
      ...lasting.map(({ one, name }) => mappingOf(one, name)),
      ...passing.flatMap(({ one, used, missing }) =>
        [...used, ...(missing > 0 && most ? [most.name] : [])].map((name) => mappingOf(one, name)),
      ),
    ],
  };
}

function countOf({ resources }: Container, resource: string): number {
  return Number((amountAt(resources?.requests, resource)?.nanos ?? 0n) / 1_000_000_000n);
}

/**
 * The name of a request: the container, and the index of the resource among its sorted requests.
 */
function requestName({ container, index }: IndexedContainer, resource: string): string {
  const place = Object.keys(container.resources?.requests ?? {})
    .toSorted()
    .indexOf(resource);
  return `container-${index}-request-${place}`;
}
