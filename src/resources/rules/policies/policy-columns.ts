import type { LabelSelector } from '../../../gen/stored/meta-v1.ts';
import type { ParamKind, ParamRef } from '../../../gen/stored/admissionregistration-v1.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, integerColumn, nameColumn, textColumn } from '../../columns/column.ts';

/** The columns of policies; `count` counts their validations or mutations. */
export function policyColumns<Policy extends { readonly spec: { readonly paramKind?: ParamKind } }>(
  count: readonly [title: string, description: string, of: (policy: Policy) => number],
): readonly Column<Policy>[] {
  const [title, description, of] = count;
  return [
    nameColumn,
    integerColumn(title, description, of),
    textColumn('ParamKind', 'Group, version and kind of the parameters.', ({ spec: { paramKind } }) =>
      paramKind ? `${paramKind.apiVersion}/${paramKind.kind}` : unset,
    ),
    ageColumn,
  ];
}

const unset = '<unset>';

/** A binding of either kind of policy. */
type Binding = {
  readonly spec: { readonly policyName?: string; readonly paramRef?: ParamRef };
};

/** The columns of bindings. */
export const bindingColumns: readonly Column<Binding>[] = [
  nameColumn,
  textColumn('PolicyName', 'Name of the policy that is in effect.', ({ spec }) => spec.policyName ?? ''),
  textColumn('ParamRef', 'Namespace and name of the parameters, or their labels.', ({ spec }) =>
    shownParams(spec.paramRef),
  ),
  ageColumn,
];

function shownParams({ name = '', namespace = '', selector }: ParamRef = {}): string {
  // The namespace of parameters is only known if it is given.
  if (name !== '') return `${namespace || '*'}/${name}`;
  return selector ? shownSelector(selector) : unset;
}

/** A label selector in Go's format. */
function shownSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .toSorted()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
