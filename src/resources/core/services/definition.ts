import type { Service } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { status } from '../../subresources.ts';
import { withoutDeleteCollection } from '../../verbs.ts';
import { strategy } from './strategy.ts';

/** The resource `services` of the core group. */
export const services = builtIn<Service>({
  group: '',
  resource: 'services',
  kind: 'Service',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['svc'],
  categories: ['all'],
  verbs: withoutDeleteCollection,
  subresources: [status],
  columns,
  strategy,
});
