import type * as sent from '../../gen/types/internal-apiserver-v1alpha1.ts';
import type * as stored from '../../gen/stored/internal-apiserver-v1alpha1.ts';
import { conditionOf, withoutCondition } from '../meta/condition-of.ts';

/** The status of a StorageVersion, as stored or as sent by a client. */
type AnyStatus = Partial<sent.StorageVersionStatus> | stored.StorageVersionStatus;

const type = 'AllEncodingVersionsEqual';

/**
 * The status of a StorageVersion with the entries of these servers. The common version is set if
 * all of them write the same one, and a condition reports that. `now` is a time of the API.
 */
export function withServers(
  status: AnyStatus | undefined,
  servers: readonly sent.ServerStorageVersion[],
  now: string,
): sent.StorageVersionStatus {
  const [common, ...others] = new Set(servers.map(({ encodingVersion = '' }) => encodingVersion));
  const isCommon = common !== undefined && others.length === 0;
  // Sent and stored conditions differ only in whether the time may be absent.
  const conditions = status?.conditions as readonly sent.StorageVersionCondition[] | undefined;
  const before = conditionOf(conditions, type);
  const state = isCommon ? 'True' : 'False';
  const earlier = status?.commonEncodingVersion;
  const isSame = before?.status === state && !(isCommon && earlier !== undefined && earlier !== common);
  const condition = {
    type,
    status: state,
    lastTransitionTime: (isSame ? before.lastTransitionTime : undefined) ?? now,
    reason: isCommon ? 'CommonEncodingVersionSet' : 'CommonEncodingVersionUnset',
    message: isCommon ? 'Common encoding version set' : 'Common encoding version unset',
  };
  return {
    storageVersions: [...servers],
    ...(isCommon ? { commonEncodingVersion: common } : {}),
    conditions: [...withoutCondition(conditions, type), condition],
  };
}
