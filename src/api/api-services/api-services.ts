import { type ApiService, apiServiceName, isRemote, type RemoteApiService } from './api-service.ts';

/** The APIServices at one moment. Documents derived from them can be memoized by this value. */
export interface ApiServicesSnapshot {
  /** The APIServices by name. */
  readonly byName: ReadonlyMap<string, ApiService>;
  /** The names of local APIServices that were deleted: discovery omits their versions. */
  readonly withdrawn: ReadonlySet<string>;
}

/** The present APIServices. */
export interface ApiServices {
  readonly current: ApiServicesSnapshot;
  /** Finds the APIService of a version that another server serves. */
  remote(group: string, version: string): RemoteApiService | undefined;
}

/** APIServices that are kept up to date. */
export class LiveApiServices implements ApiServices {
  readonly #ownGroup: string;
  readonly #byName = new Map<string, ApiService>();
  readonly #withdrawn = new Set<string>();
  #remotes = 0;
  #snapshot: ApiServicesSnapshot | undefined;

  /** `ownGroup` is the group of the APIServices themselves, which no other server can serve. */
  constructor(ownGroup: string) {
    this.#ownGroup = ownGroup;
  }

  get current(): ApiServicesSnapshot {
    return (this.#snapshot ??= { byName: new Map(this.#byName), withdrawn: new Set(this.#withdrawn) });
  }

  get(name: string): ApiService | undefined {
    return this.#byName.get(name);
  }

  remote(group: string, version: string): RemoteApiService | undefined {
    // Most servers have none; their requests need no text of a name.
    if (this.#remotes === 0 || group === this.#ownGroup) return undefined;
    const found = this.#byName.get(apiServiceName(group, version));
    return found && isRemote(found) ? found : undefined;
  }

  /** The APIServices of other servers, sorted by name. */
  remotes(): readonly RemoteApiService[] {
    if (this.#remotes === 0) return [];
    return [...this.#byName.values()].filter(isRemote).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  put(one: ApiService): void {
    this.#forget(one.name);
    this.#byName.set(one.name, one);
    this.#withdrawn.delete(one.name);
    if (isRemote(one)) this.#remotes++;
  }

  remove(name: string): void {
    if (this.#forget(name)) this.#withdrawn.add(name);
  }

  #forget(name: string): boolean {
    this.#snapshot = undefined;
    const before = this.#byName.get(name);
    if (before && isRemote(before)) this.#remotes--;
    return this.#byName.delete(name);
  }
}
