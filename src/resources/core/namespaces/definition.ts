import type { Namespace } from '../../../gen/stored/core-v1.ts';
import { builtIn, withoutDeleteCollection } from '../../built-in.ts';
import { age, name, text } from '../../columns/column.ts';
import { finalize, status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `namespaces` of the core group. */
export const namespaces = builtIn<Namespace>({
  group: '',
  resource: 'namespaces',
  kind: 'Namespace',
  versions: { v1: {} },
  shortNames: ['ns'],
  verbs: withoutDeleteCollection,
  subresources: [finalize, status],
  columns: [
    name,
    text(
      'Status',
      'Phase of the namespace: active, or terminating while its content is deleted.',
      (namespace) => namespace.status.phase,
    ),
    age,
  ],
  strategy,
});
