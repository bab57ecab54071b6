import { ageSince } from '../../../../../meta/human-duration.ts';
import type { Section } from './description.ts';
import { annotations, field, ifSet, indented, labels, line, optional } from './fields.ts';
import { accessModes, textAt, valueAt } from './values.ts';

/** The class of a claim or a volume: the field, or the annotation of its first years. */
export const storageClass: Section = (object) => {
  const annotation = Object.entries(valueAt(object, 'metadata.annotations') ?? {}).find(([key]) =>
    /^volume\.beta\.[^/]+\/storage-class$/.test(key),
  );
  return [`StorageClass:\t${String(annotation?.[1] ?? textAt(object, 'spec.storageClassName'))}`];
};

/** A status, or how long the deletion has lasted. */
export const phaseOrTerminating: Section = (object, facts) => {
  const deleted = textAt(object, 'metadata.deletionTimestamp');
  return [`Status:\t${deleted === '' ? textAt(object, 'status.phase') : terminating(deleted, facts.nowMs)}`];
};

/** `Terminating (lasts 5m)` */
export function terminating(deleted: string, nowMs: number): string {
  return `Terminating (lasts ${ageSince(deleted, nowMs)})`;
}

const capacity: Section[] = [
  line('Capacity', (claim) => (isBound(claim) ? textAt(claim, 'status.capacity.storage') || '0' : '')),
  line('Access Modes', (claim) => (isBound(claim) ? accessModes(valueAt(claim, 'status.accessModes')) : '')),
];

function isBound(claim: Parameters<Section>[0]): boolean {
  return textAt(claim, 'spec.volumeName') !== '';
}

const source = ifSet('spec.dataSource', (claim) => [
  'DataSource:',
  ...indented(
    [
      optional('APIGroup', 'spec.dataSource.apiGroup'),
      field('Kind', 'spec.dataSource.kind'),
      field('Name', 'spec.dataSource.name'),
    ].flatMap((section) => section(claim, { nowMs: 0, related: {} })),
  ),
]);

/** The sections after the metadata of a claim. */
export const claimDetails: readonly Section[] = [...capacity, optional('VolumeMode', 'spec.volumeMode'), source];

/** The sections of a template of claims. */
export const claimSections: readonly Section[] = [
  storageClass,
  field('Volume', 'spec.volumeName'),
  labels,
  annotations,
  ...claimDetails,
];
