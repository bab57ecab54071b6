import type { JsonObject } from '../../meta/json-value.ts';
import { compileStructuralSchema, type StructuralSchema } from '../../scheme/model/structural-schema.ts';
import { errorsOfEach } from '../../status/all-errors.ts';
import { type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';
import { fieldPathSteps } from './rule-field-path.ts';
import { rulesOf, type ValidationRule } from './validation-rule.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreak = /[\n\r]/;

/** The errors of the rules of a schema, except the errors of their expressions. */
export function checkRules(path: string, schema: JsonObject): readonly FieldError[] {
  const { extension, rules } = rulesOf(schema);
  const structural = rules.some(({ fieldPath }) => fieldPath !== '') ? compileStructuralSchema(schema) : undefined;
  return errorsOfEach(rules, (rule, index) => ruleErrors(`${path}.${extension}[${index}]`, rule, structural));
}

function ruleErrors(path: string, rule: ValidationRule, schema: StructuralSchema | undefined): readonly FieldError[] {
  const { messageExpression, reason } = rule;
  return [
    ...textErrors(path, rule),
    ...(messageExpression !== '' && messageExpression.trim() === ''
      ? [required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
    ...(reason === undefined || reasons.includes(reason) ? [] : [notSupported(`${path}.reason`, reason, reasons)]),
    ...fieldPathErrors(`${path}.fieldPath`, rule.fieldPath, schema),
  ];
}

/** The first error of a rule and its message. */
function textErrors(path: string, { rule, message }: ValidationRule): readonly FieldError[] {
  const [text, shown] = [rule.trim(), message.trim()];
  if (text === '') return [required(`${path}.rule`, 'rule is not specified')];
  if (message !== '' && shown === '') {
    return [invalid(`${path}.message`, message, 'message must be non-empty if specified')];
  }
  if (lineBreak.test(shown)) return [invalid(`${path}.message`, message, 'message must not contain line breaks')];
  return lineBreak.test(text) && shown === ''
    ? [required(`${path}.message`, 'message must be specified if rule contains line breaks')]
    : [];
}

function fieldPathErrors(field: string, path: string, schema: StructuralSchema | undefined): readonly FieldError[] {
  if (path === '' || !schema) return [];
  return [
    ...(path.trim() === '' ? [invalid(field, path, 'fieldPath must be non-empty if specified')] : []),
    ...(lineBreak.test(path) ? [invalid(field, path, 'fieldPath must not contain line breaks')] : []),
    ...(fieldPathSteps(path, schema) ? [] : [invalid(field, path, 'fieldPath must be a valid path')]),
  ];
}
