import type { VolumeAttachment } from '../../../gen/stored/storage-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `volumeattachments` of the group `storage`. */
export const volumeAttachments = builtIn<VolumeAttachment>({
  group: 'storage',
  resource: 'volumeattachments',
  kind: 'VolumeAttachment',
  versions: {
    v1: { introduced: '1.13' },
    v1beta1: { introduced: '1.10', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  subresources: [{ ...status, versions: ['v1'] }],
  columns,
  strategy,
});
