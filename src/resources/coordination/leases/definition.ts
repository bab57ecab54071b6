import type { Lease } from '../../../gen/stored/coordination-v1.ts';
import { builtIn } from '../../built-in.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { checkStrategy } from '../lease-strategy.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';

/**
 * The strategy of leases. An update needs a resourceVersion, so that a renewal cannot overwrite
 * another holder's.
 */
const strategy: Strategy<Lease> = {
  plainFinalizers: true,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validate: ({ spec }) => electionErrors(spec),
};

function electionErrors({ strategy: chosen, preferredHolder }: Lease['spec']): readonly FieldError[] {
  return [
    ...(chosen === undefined ? [] : checkStrategy('spec.strategy', chosen)),
    ...(preferredHolder && !chosen
      ? [forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined')]
      : []),
  ];
}

/** The columns of leases. */
const columns: readonly Column<Lease>[] = [
  nameColumn,
  textColumn('Holder', 'Identity of the holder.', ({ spec }) => spec.holderIdentity ?? ''),
  ageColumn,
];

/** The resource `leases` of the group `coordination`. */
export const leases = builtIn<Lease>({
  group: 'coordination',
  resource: 'leases',
  kind: 'Lease',
  namespaced: true,
  versions: {
    v1: { introduced: '1.14' },
    v1beta1: { introduced: '1.12', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  columns,
  strategy,
});
