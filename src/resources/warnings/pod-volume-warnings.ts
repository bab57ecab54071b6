import type { Volume } from '../../gen/types/core-v1.ts';
import { claimWarnings } from './quantity-warnings.ts';
import { type WarningRelease, warnsSince } from './warning-context.ts';

/** Returns the warning about a removed volume type; undefined if the release does not warn. */
type VolumeAdvice = (emulated: WarningRelease) => string | undefined;

const always =
  (text: string): VolumeAdvice =>
  () =>
    text;

const from =
  (since: string, text: string): VolumeAdvice =>
  (emulated) =>
    warnsSince(emulated, since) ? text : undefined;

const removedIn125: VolumeAdvice = (emulated) =>
  warnsSince(emulated, '1.27')
    ? 'deprecated in v1.22, non-functional in v1.25+'
    : 'deprecated in v1.22, support removal is planned in v1.26';

/** The deprecated volume types, in the order in which they are checked. */
const deprecatedVolumes: readonly (readonly [kind: keyof Volume, advice: VolumeAdvice])[] = [
  ['photonPersistentDisk', always('deprecated in v1.11, non-functional in v1.16+')],
  [
    'gitRepo',
    (emulated) =>
      warnsSince(emulated, '1.33') && !emulated.isFeatureEnabled('GitRepoVolumeDriver')
        ? 'deprecated in v1.11, and disabled by default in v1.33+'
        : 'deprecated in v1.11',
  ],
  ['scaleIO', always('deprecated in v1.16, non-functional in v1.22+')],
  ['flocker', removedIn125],
  ['storageos', removedIn125],
  ['quobyte', removedIn125],
  [
    'glusterfs',
    (emulated) =>
      warnsSince(emulated, '1.27')
        ? 'deprecated in v1.25, non-functional in v1.26+'
        : from(
            '1.25',
            'deprecated in v1.25, this feature will be removed soon after in a subsequent release',
          )(emulated),
  ],
  ['cephfs', from('1.28', 'deprecated in v1.28, non-functional in v1.31+')],
  ['rbd', from('1.28', 'deprecated in v1.28, non-functional in v1.31+')],
];

/** The names of volume types in warnings, where they differ from the field. */
const shownKinds: Readonly<Record<string, string>> = { storageos: 'storageOS' };

/** The warnings about the volume types of a pod. */
export function volumeKindWarnings(
  path: string,
  volumes: readonly Volume[],
  emulated: WarningRelease,
): readonly string[] {
  return volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const kinds = deprecatedVolumes.flatMap(([kind, advice]) => {
      const text = volume[kind] === undefined ? undefined : advice(emulated);
      return text === undefined ? [] : [`${at}.${shownKinds[kind] ?? kind}: ${text}`];
    });
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
    const isChecked = claim !== undefined && warnsSince(emulated, '1.26');
    return [...kinds, ...(isChecked ? claimWarnings(`${at}.ephemeral.volumeClaimTemplate.spec`, claim) : [])];
  });
}
