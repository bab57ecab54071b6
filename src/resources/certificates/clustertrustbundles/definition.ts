import type { Column } from '../../../codec/table-definition.ts';
import type { ClusterTrustBundle } from '../../../gen/stored/certificates-v1beta1.ts';
import { validateDnsSubdomain, validatePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { builtIn } from '../../built-in.ts';
import { nameColumn, orNone, textColumn } from '../../columns/column.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkSignerName } from '../certificatesigningrequests/signer-name.ts';
import { trustBundleErrors } from './trust-bundle.ts';

/** The strategy of ClusterTrustBundles. Their names begin with the signer, if there is one. */
const strategy: Strategy<ClusterTrustBundle> = {
  validateName: validatePathSegment,
  validateNewName: (name, { spec }) => validateBundleName(name, spec.signerName ?? ''),
  validate: ({ metadata, spec }, _context, old) => [
    // On updates the rule can only be broken by changing the signer.
    ...(old
      ? checkString('metadata.name', metadata.name ?? '', (name) => validateBundleName(name, spec.signerName ?? ''))
      : []),
    ...(spec.signerName ? checkSignerName('spec.signerName', spec.signerName) : []),
    // An unchanged bundle stays valid even if certificate parsing becomes stricter.
    ...(old?.spec.trustBundle === spec.trustBundle ? [] : trustBundleErrors('spec.trustBundle', spec.trustBundle)),
  ],
  validateUpdate: ({ spec }, old) =>
    checkImmutable('spec.signerName', spec.signerName ?? '', old.spec.signerName ?? ''),
  allowUnconditionalUpdate: false,
  selectableFields: ['spec.signerName'],
  fieldsOf: ({ spec }) => ({ 'spec.signerName': spec.signerName ?? '' }),
};

function validateBundleName(name: string, signerName: string): readonly string[] {
  if (signerName === '') {
    if (name.includes(':')) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
    return validateDnsSubdomain(name);
  }
  const prefix = `${signerName.replaceAll('/', ':')}:`;
  if (name.startsWith(prefix)) return validateDnsSubdomain(name.slice(prefix.length));
  return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
}

/** The columns of ClusterTrustBundles. */
const columns: readonly Column<ClusterTrustBundle>[] = [
  nameColumn,
  textColumn('SignerName', 'Signer whose certificates the roots verify.', ({ spec }) => orNone(spec.signerName)),
];

/** The resource `clustertrustbundles` of the group `certificates`. */
export const clusterTrustBundles = builtIn<ClusterTrustBundle>({
  group: 'certificates',
  resource: 'clustertrustbundles',
  kind: 'ClusterTrustBundle',
  versions: {
    v1beta1: {
      introduced: '1.33',
      optIn: true,
      gate: 'ClusterTrustBundle',
      deprecated: { since: '1.37', removed: '1.40' },
    },
    v1alpha1: { introduced: '1.27', gate: 'ClusterTrustBundle', deprecated: { since: '1.34', removed: '1.37' } },
  },
  columns,
  strategy,
});
