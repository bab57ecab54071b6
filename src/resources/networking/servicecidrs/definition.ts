import type { Column } from '../../../codec/table-definition.ts';
import type { ServiceCIDR } from '../../../gen/stored/networking-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { validateCanonicalCidr } from '../../rules/fields/canonical-network.ts';
import { checkEach, checkString } from '../../rules/fields/field-checks.ts';
import { allFields, keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { statusSubresource } from '../../subresources.ts';

/** The strategy of ServiceCIDRs. A range of the other family may be added later. */
const strategy: Strategy<ServiceCIDR> = {
  validate: ({ spec }, _context, old) => (old ? noErrors : cidrErrors(spec.cidrs ?? [])),
  validateUpdate: ({ spec }, old) => changeErrors(spec.cidrs ?? [], old.spec.cidrs ?? []),
  generation: false,
  subresources: { status: keepMetadata(allFields) },
};

const field = 'spec.cidrs';

function cidrErrors(cidrs: readonly string[]): readonly FieldError[] {
  if (cidrs.length === 0) return [required(field, 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalid(field, { cidrs }, 'may only hold up to 2 values')];
  const [first = '', second] = cidrs;
  const isRepeated = second !== undefined && first.includes(':') === second.includes(':');
  const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  const errors = checkEach(field, cidrs, (cidr, path) => checkString(path, cidr, validateCanonicalCidr));
  return isRepeated && errors.length === 0 ? [invalid(field, cidrs, detail)] : errors;
}

const immutable = 'field is immutable';

function changeErrors(cidrs: readonly string[], old: readonly string[]): readonly FieldError[] {
  if (cidrs.length === old.length) {
    return checkEach(field, cidrs, (cidr, path) =>
      old[Number(path.slice(field.length + 1, -1))] === cidr ? noErrors : [invalid(path, cidr, immutable)],
    );
  }
  if (old.length !== 1 || cidrs.length !== 2) return [invalid(field, cidrs, immutable)];
  const isSame = cidrs[0] === old[0];
  return [...(isSame ? noErrors : [invalid(`${field}[0]`, cidrs[0], immutable)]), ...cidrErrors(cidrs)];
}

/** The columns of ServiceCIDRs. */
const columns: readonly Column<ServiceCIDR>[] = [
  nameColumn,
  textColumn('CIDRs', 'Ranges from which Services get their addresses.', ({ spec }) => (spec.cidrs ?? []).join(',')),
  ageColumn,
];

/** The resource `servicecidrs` of the group `networking`. */
export const serviceCidrs = builtIn<ServiceCIDR>({
  group: 'networking',
  resource: 'servicecidrs',
  kind: 'ServiceCIDR',
  versions: {
    v1: { introduced: '1.33' },
    v1beta1: { introduced: '1.31', optIn: true, deprecated: { since: '1.34', removed: '1.37' } },
    v1alpha1: { introduced: '1.29', deprecated: { since: '1.30', removed: '1.31', announced: '1.33' } },
  },
  subresources: [statusSubresource],
  columns,
  strategy,
});
