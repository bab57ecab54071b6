import { builtIn } from '../../built-in.ts';
import { age, flag, name, text } from '../../columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `volumeattachments` of the group `storage`. */
export const volumeAttachments = builtIn({
  group: 'storage',
  resource: 'volumeattachments',
  kind: 'VolumeAttachment',
  versions: {
    v1: {},
    v1beta1: { deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  subresources: [{ ...status, versions: ['v1'] }],
  columns: [name, { ...text('Attacher'), format: 'name' }, text('PV'), text('Node'), flag('Attached'), age],
  strategy,
});
