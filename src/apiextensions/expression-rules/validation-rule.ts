import { type JsonObject, getOwn } from '../../meta/json-value.ts';
import { isSet, isTrue, objectsAt, stringAt } from '../../meta/read-field.ts';
import { extensionOf } from '../../scheme/model/structural-schema.ts';

/** A rule of a schema, as it was written. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

/** The rules of a schema, with the full name of their extension. */
export function rulesOf(schema: JsonObject): { readonly extension: string; readonly rules: readonly ValidationRule[] } {
  const extension = extensionOf(schema, 'validations') ?? 'validations';
  return { extension, rules: objectsAt(schema, extension).map(ruleOf) };
}

function ruleOf(source: JsonObject): ValidationRule {
  return {
    rule: stringAt(source, 'rule'),
    message: stringAt(source, 'message'),
    messageExpression: stringAt(source, 'messageExpression'),
    reason: isSet(source, 'reason') ? stringAt(source, 'reason') : undefined,
    fieldPath: stringAt(source, 'fieldPath'),
    optionalOldSelf: getOwn(source, 'optionalOldSelf') === undefined ? undefined : isTrue(source, 'optionalOldSelf'),
  };
}

/** A rule as messages name it: by its message, or by its text. */
export function ruleText({ message, rule }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}
