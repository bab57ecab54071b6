import type { RemoteApiService } from '../../api/api-services/api-service.ts';
import type { RemoteResources } from '../../api/discovery/remote-resources.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import { convertResources } from './convert-resources.ts';

/** The resources that other servers have shown in the checks of their availability. */
export class RemoteVersions implements RemoteResources {
  #current: RemoteResources['current'] = new Map();

  get current(): RemoteResources['current'] {
    return this.#current;
  }

  /** Takes the APIResourceList of a version; undefined if the server gave none. */
  take({ name, group, version }: RemoteApiService, list: JsonObject | undefined): void {
    const known = this.#current.get(name);
    const resources = list ? convertResources(list, { group, version }) : (known?.resources ?? []);
    const isFresh = list !== undefined;
    if (known && known.isFresh === isFresh && sameValue([...known.resources], [...resources])) return;
    this.#current = new Map([...this.#current, [name, { resources, isFresh }]]);
  }

  /** Forgets an APIService that is gone, or that this server serves. */
  forget(name: string): void {
    if (!this.#current.has(name)) return;
    this.#current = new Map([...this.#current].filter(([other]) => other !== name));
  }
}
