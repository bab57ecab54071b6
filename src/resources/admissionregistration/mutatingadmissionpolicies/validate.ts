import type { MutatingAdmissionPolicy, Mutation } from '../../../gen/stored/admissionregistration-v1.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { checkMatchConditions } from '../../rules/expressions/match-conditions.ts';
import { checkMatchResources } from '../../rules/policies/match-resources.ts';
import { checkParamKind } from '../../rules/policies/policy-params.ts';
import { checkVariable } from '../../rules/policies/policy-variables.ts';

/** Checks a policy. */
export function validatePolicy(policy: MutatingAdmissionPolicy): readonly FieldError[] {
  const spec = new FieldCursor(policy).at('spec');
  checkParamKind(spec.at('paramKind'));
  const match = spec.at('matchConstraints');
  checkMatchResources(match, 'not DELETE');
  if (match.value && !match.value.resourceRules?.length) match.at('resourceRules').reportRequired();
  checkMatchConditions(spec.at('matchConditions'));
  for (const variable of spec.each('variables')) checkVariable(variable);
  for (const mutation of spec.each('mutations')) checkMutation(mutation);
  return spec.errors;
}

/** The field of each type of patch. */
const patchFields = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

function checkMutation(mutation: FieldCursor<Mutation>): void {
  const { patchType } = mutation.value;
  if (patchType !== 'ApplyConfiguration' && patchType !== 'JSONPatch') return;
  for (const [type, field] of Object.entries(patchFields)) {
    const patch = mutation.at(field);
    if (type !== patchType) {
      if (patch.value) patch.reportInvalid(`must not be specified when patchType is ${patchType}`, `{${field}}`);
    } else if (!patch.value) patch.reportRequired(`must be specified when patchType is ${patchType}`);
    else if ((patch.value.expression ?? '').trim() === '') {
      patch.at('expression').reportRequired();
    }
  }
}
