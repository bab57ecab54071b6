import type { PersistentVolume } from '../../gen/types/core-v1.ts';
import { selectorTermWarnings } from './node-label-warnings.ts';
import { type WarningRelease, warnsSince, withDomains } from './warning-context.ts';

/**
 * The deprecated annotations of volumes and claims, with advice and the first release that warns.
 */
const annotations: readonly (readonly [name: string, advice: string])[] = [
  ['volume.beta.{label}/storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['volume.beta.{label}/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
];

/** The deprecated volume types, with the advice of 1.31 and the first release that warns. */
const kinds: readonly (readonly [kind: string, advice: string, since: string, shown?: string])[] = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+', '1.28'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+', '1.31'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+', '1.31'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', '1.31', 'storageOS'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+', '1.31'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+', '1.28'],
];

/** The warnings about a PersistentVolume. */
export function volumeWarnings({ metadata, spec }: PersistentVolume, emulated: WarningRelease): readonly string[] {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const parts: Readonly<Record<string, unknown>> = { ...spec };
  const isRecycled = spec?.persistentVolumeReclaimPolicy === 'Recycle' && warnsSince(emulated, '1.30');
  return [
    ...(warnsSince(emulated, '1.31') ? annotationWarnings(metadata?.annotations ?? {}, emulated) : []),
    ...(isRecycled
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...terms.flatMap((term, index) =>
      selectorTermWarnings(`spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, term, emulated),
    ),
    ...kinds.flatMap(([kind, advice, since, shown = kind]) =>
      parts[kind] !== undefined && warnsSince(emulated, since) ? [`spec.${shown}: ${advice}`] : [],
    ),
  ];
}

function annotationWarnings(
  found: Readonly<Record<string, string>>,
  emulated: WarningRelease,
  rows = annotations,
): readonly string[] {
  return rows.flatMap(([text, advice]) => {
    const name = withDomains(text, emulated);
    return Object.hasOwn(found, name) ? [`metadata.annotations[${name}]: ${advice}`] : [];
  });
}

/** The warning about a claim's annotation for its storage class. */
export function claimClassWarnings(
  found: Readonly<Record<string, string>>,
  emulated: WarningRelease,
): readonly string[] {
  return annotationWarnings(found, emulated, annotations.slice(0, 1));
}
