import type {
  AuditAnnotation,
  ExpressionWarning,
  Validation,
  ValidatingAdmissionPolicy,
} from '../../../gen/stored/admissionregistration-v1.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { checkCondition } from '../../rules/fields/check-conditions.ts';
import { checkMatchResources } from '../../rules/policies/match-resources.ts';
import { checkMatchConditions } from '../../rules/expressions/check-match-conditions.ts';
import { checkParamKind } from '../../rules/policies/check-param-kind.ts';
import { checkVariable } from '../../rules/policies/policy-variables.ts';

/** Validates a policy. */
export function validatePolicy(policy: ValidatingAdmissionPolicy): readonly FieldError[] {
  const cursor = new FieldCursor(policy);
  const spec = cursor.at('spec');
  checkParamKind(spec.at('paramKind'));
  const match = spec.at('matchConstraints');
  checkMatchResources(match);
  if (match.value && !match.value.resourceRules?.length) match.at('resourceRules').reportRequired();
  checkMatchConditions(spec.at('matchConditions'));
  for (const variable of spec.each('variables')) checkVariable(variable);
  checkRules(policy, spec);
  return cursor.errors;
}

const nothingToDo = 'validations or auditAnnotations must contain at least one item';
const mostAnnotations = 20;

function checkRules(policy: ValidatingAdmissionPolicy, spec: FieldCursor<ValidatingAdmissionPolicy['spec']>): void {
  const { validations = [], auditAnnotations = [] } = spec.value;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    spec.at('validations').reportRequired(nothingToDo);
    spec.at('auditAnnotations').reportRequired(nothingToDo);
  }
  for (const validation of spec.each('validations')) checkValidation(validation);
  if (auditAnnotations.length > mostAnnotations) {
    // The value in the error has the field names of kube-apiserver's structs.
    const shown = auditAnnotations.map(({ key, valueExpression }) => ({ Key: key, ValueExpression: valueExpression }));
    spec.at('auditAnnotations').reportInvalid(`must not have more than ${mostAnnotations} auditAnnotations`, shown);
  }
  const keys = new Set<unknown>();
  for (const annotation of spec.each('auditAnnotations')) {
    checkAnnotation(annotation, policy.metadata.name ?? '');
    annotation.at('key').mustBeUnique(keys);
  }
}

function checkValidation(validation: FieldCursor<Validation>): void {
  const { expression, message = '', messageExpression = '' } = validation.value;
  if (expression.trim() === '') validation.at('expression').reportRequired('expression is not specified');
  if (messageExpression !== '' && messageExpression.trim() === '') {
    validation.at('messageExpression').reportInvalid('must be non-empty if specified');
  }
  const text = message.trim();
  if (message !== '' && text === '') validation.at('message').reportInvalid('must be non-empty if specified');
  else if (/[\n\r]/.test(text)) validation.at('message').reportInvalid('must not contain line breaks');
}

const longestAnnotation = 5 * 1_024;

function checkAnnotation(annotation: FieldCursor<AuditAnnotation>, policy: string): void {
  const { key, valueExpression } = annotation.value;
  const name = annotation.at('key');
  if (policy === '') name.reportInvalid('requires metadata.name be non-empty');
  else for (const message of validateQualifiedName(`${policy}/${key}`)) name.reportInvalid(message, `${policy}/${key}`);
  const text = valueExpression.trim();
  if (text === '') annotation.at('valueExpression').reportRequired('valueExpression is not specified');
  else if (Buffer.byteLength(text) > longestAnnotation) {
    annotation.at('valueExpression').reportRequired(`must not exceed ${longestAnnotation} bytes in length`);
  }
}

/** Validates the status of a policy. */
export function validatePolicyStatus(policy: ValidatingAdmissionPolicy): readonly FieldError[] {
  const status = new FieldCursor(policy).at('status');
  for (const warning of status.at('typeChecking').each('expressionWarnings')) checkWarning(warning);
  const types = new Set<unknown>();
  for (const condition of status.each('conditions')) checkCondition(condition, types);
  return status.errors;
}

function checkWarning(warning: FieldCursor<ExpressionWarning>): void {
  const { fieldRef } = warning.value;
  if (fieldRef !== '' && fieldRef.trim() === '') warning.at('fieldRef').reportRequired();
}
