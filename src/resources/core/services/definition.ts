import { builtIn } from '../../built-in.ts';
import { age, name, text, wide } from '../../columns.ts';
import { status } from '../../subresources.ts';
import { withoutDeleteCollection } from '../../verbs.ts';
import { strategy } from './strategy.ts';

/** The resource `services` of the core group. */
export const services = builtIn({
  group: '',
  resource: 'services',
  kind: 'Service',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['svc'],
  categories: ['all'],
  verbs: withoutDeleteCollection,
  subresources: [status],
  columns: [name, text('Type'), text('Cluster-IP'), text('External-IP'), text('Port(s)'), age, wide('Selector')],
  strategy,
});
