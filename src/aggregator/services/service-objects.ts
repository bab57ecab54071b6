import type { JsonObject } from '../../meta/json-value.ts';
import type { ListerOf } from '../../meta/lister.ts';
import type { ServiceReference } from '../../api/api-services/api-service.ts';
import type { ResourceCache } from '../../storage/cache/resource-cache.ts';
import type { ServiceState } from './availability-condition.ts';

/** The Services and Endpoints of the cache. */
export class ServiceObjects {
  readonly #find: (resource: 'services' | 'endpoints') => ResourceCache | undefined;
  readonly #services;
  readonly #endpoints;
  #isFollowing = false;

  constructor(listerOf: ListerOf, find: (resource: 'services' | 'endpoints') => ResourceCache | undefined) {
    this.#find = find;
    this.#services = listerOf({ group: '', resource: 'services', read: itself });
    this.#endpoints = listerOf({ group: '', resource: 'endpoints', read: itself });
  }

  /** Returns the Service of an APIService, and its Endpoints. */
  async of({ namespace, name }: ServiceReference, signal: AbortSignal): Promise<ServiceState> {
    const [service, endpoints] = await Promise.all([
      this.#services.get(namespace, name, signal),
      this.#endpoints.get(namespace, name, signal),
    ]);
    return { service, endpoints };
  }

  /**
   * Calls a listener with the namespace and the name of each Service that changes, or whose
   * Endpoints do. The first call decides; a server without remote APIServices makes none.
   */
  follow(listener: (namespace: string, name: string) => void): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    for (const resource of ['services', 'endpoints'] as const) {
      this.#find(resource)?.follow({
        replace: () => {},
        change: (key) => {
          const [namespace = '', name = ''] = key.split('/').slice(-2);
          listener(namespace, name);
        },
      });
    }
  }
}

function itself(object: JsonObject): JsonObject {
  return object;
}
