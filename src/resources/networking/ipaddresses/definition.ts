import type { Column } from '../../../codec/table-definition.ts';
import type { IPAddress } from '../../../gen/stored/networking-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { builtIn } from '../../built-in.ts';
import { nameColumn, orNone, textColumn } from '../../columns/column.ts';
import { validateCanonicalIp } from '../../rules/fields/canonical-network.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';

/** The strategy of IPAddresses. The name is the address in canonical form. */
const strategy: Strategy<IPAddress> = {
  validateName: validateCanonicalIp,
  validateUpdate: ({ spec }, old) => checkImmutable('spec.parentRef', spec.parentRef, old.spec.parentRef),
};

/** The columns of IPAddresses. */
const columns: readonly Column<IPAddress>[] = [
  nameColumn,
  textColumn('ParentRef', 'Object that holds the address.', ({ spec: { parentRef } }) =>
    orNone(parentRef && formatReference(parentRef)),
  ),
];

function formatReference({
  group = '',
  resource = '',
  namespace,
  name = '',
}: NonNullable<IPAddress['spec']['parentRef']>): string {
  const kind = (group === '' ? resource : `${resource}.${group}`).toLowerCase();
  return [kind, ...(namespace ? [namespace] : []), name].join('/');
}

/** The resource `ipaddresses` of the group `networking`. */
export const ipAddresses = builtIn<IPAddress>({
  group: 'networking',
  resource: 'ipaddresses',
  kind: 'IPAddress',
  versions: {
    v1: { introduced: '1.33' },
    v1beta1: {
      introduced: '1.31',
      optIn: true,
      deprecated: { since: '1.34', removed: '1.37' },
    },
    v1alpha1: { introduced: '1.27', deprecated: { since: '1.30', removed: '1.31', announced: '1.33' } },
  },
  shortNames: ['ip'],
  columns,
  strategy,
});
