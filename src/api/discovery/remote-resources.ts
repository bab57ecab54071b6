import type { JsonObject } from '../../meta/json-value.ts';

/** The resources of the versions that other servers serve. */
export interface RemoteResources {
  /**
   * The known resources by the name of the APIService, as aggregated discovery shows them. Replaced
   * by another map when anything changes.
   */
  readonly current: ReadonlyMap<string, RemoteVersion>;
}

/** A version that another server serves. */
interface RemoteVersion {
  /** Objects of aggregated discovery. */
  readonly resources: readonly JsonObject[];
  /** True if the server has answered recently. */
  readonly isFresh: boolean;
}
