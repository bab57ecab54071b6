import type { Namespace } from '../../../gen/stored/core-v1.ts';
import { builtIn, withoutDeleteCollection } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { finalize, statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `namespaces` of the core group. */
export const namespaces = builtIn<Namespace>({
  group: '',
  resource: 'namespaces',
  kind: 'Namespace',
  versions: { v1: {} },
  shortNames: ['ns'],
  verbs: withoutDeleteCollection,
  subresources: [finalize, statusSubresource],
  columns: [
    nameColumn,
    textColumn(
      'Status',
      'Phase of the namespace: active, or terminating while its content is deleted.',
      (namespace) => namespace.status.phase,
    ),
    ageColumn,
  ],
  strategy,
});
