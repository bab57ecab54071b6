import type { Column } from '../../../codec/table.ts';
import type { LeaseCandidate } from '../../../gen/stored/coordination-v1beta1.ts';
import { validateConfigKey } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { candidateConversion } from './convert.ts';
import { validateCandidate } from './validate.ts';

/** The strategy of candidates for Leases. */
const strategy: Strategy<LeaseCandidate> = {
  validateName: validateConfigKey,
  validate: validateCandidate,
  validateUpdate: ({ spec }, old) => checkImmutable('spec.leaseName', spec.leaseName, old.spec.leaseName),
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
};

/** The columns of candidates. */
const columns: readonly Column<LeaseCandidate>[] = [
  nameColumn,
  textColumn('LeaseName', 'Lease that the candidate wants.', ({ spec }) => spec.leaseName),
  textColumn('BinaryVersion', 'Version of the program.', ({ spec }) => spec.binaryVersion),
  textColumn('EmulationVersion', 'Version that the program behaves as.', ({ spec }) => spec.emulationVersion ?? ''),
  ageColumn,
];

/** The resource `leasecandidates` of the group `coordination`. */
export const leaseCandidates = builtIn<LeaseCandidate>({
  group: 'coordination',
  resource: 'leasecandidates',
  kind: 'LeaseCandidate',
  namespaced: true,
  versions: {
    v1beta1: { introduced: '1.33', optIn: true, deprecated: { since: '1.36', removed: '1.39' } },
    v1alpha2: { introduced: '1.32', deprecated: { since: '1.35', removed: '1.38' } },
    v1alpha1: {
      introduced: '1.31',
      deprecated: { since: '1.34', removed: '1.32' },
      conversion: candidateConversion,
    },
  },
  columns,
  strategy,
});
