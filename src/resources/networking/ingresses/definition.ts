import type { Ingress } from '../../../gen/stored/networking-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { statusSubresource } from '../../subresources.ts';
import { ingressConversion } from './convert.ts';
import { strategy } from './strategy.ts';

/** The resource `ingresses` of the group `networking`. */
export const ingresses = builtIn<Ingress>({
  group: 'networking',
  resource: 'ingresses',
  kind: 'Ingress',
  namespaced: true,
  versions: {
    v1: { introduced: '1.19' },
    v1beta1: {
      introduced: '1.14',
      deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' },
      conversion: ingressConversion,
    },
  },
  shortNames: ['ing'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
