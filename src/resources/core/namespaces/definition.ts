import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { finalize, status } from '../../subresources.ts';
import { withoutDeleteCollection } from '../../verbs.ts';
import { strategy } from './strategy.ts';

/** The resource `namespaces` of the core group. */
export const namespaces = builtIn({
  group: '',
  resource: 'namespaces',
  kind: 'Namespace',
  versions: { v1: {} },
  shortNames: ['ns'],
  verbs: withoutDeleteCollection,
  subresources: [finalize, status],
  columns,
  strategy,
});
