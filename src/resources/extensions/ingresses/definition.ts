import type { Ingress } from '../../../gen/stored/networking-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from '../../networking/ingresses/columns.ts';
import { ingressConversion } from '../../networking/ingresses/convert.ts';
import { strategy } from '../../networking/ingresses/strategy.ts';
import { statusSubresource } from '../../subresources.ts';

/** The resource `ingresses` of the group `extensions`. */
export const extensionsIngresses = builtIn<Ingress>({
  group: 'extensions',
  resource: 'ingresses',
  kind: 'Ingress',
  namespaced: true,
  versions: {
    v1beta1: {
      introduced: '1.1',
      deprecated: { since: '1.14', removed: '1.22', replacement: 'networking/v1' },
      conversion: ingressConversion,
    },
  },
  storedAs: { group: 'networking', version: 'v1' },
  shortNames: ['ing'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
