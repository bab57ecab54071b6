import type { IngressClass } from '../../../gen/stored/networking-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `ingressclasses` of the group `networking`. */
export const ingressClasses = builtIn<IngressClass>({
  group: 'networking',
  resource: 'ingressclasses',
  kind: 'IngressClass',
  versions: {
    v1: { introduced: '1.19' },
    v1beta1: { introduced: '1.18', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  columns,
  strategy,
});
