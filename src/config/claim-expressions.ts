import type { CheckedRule, ClaimExpressions } from '../authn/oidc/claim-expressions.ts';
import type { Expression } from '../cel/values/expression.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../meta/read-field.ts';
import { duplicate, type FieldError, invalid, required } from '../status/field-error.ts';
import { unknownFields } from './configuration-file.ts';
import { type Compile, expressionErrors } from './expression-loader.ts';

const extraFields = ['key', 'valueExpression'];
const userRuleFields = ['expression', 'message'];

/** Keys of extra values: a domain and a path, in lower case. */
const extraKeyPattern = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\/[a-z0-9._~!$&'()*+,;=:@/-]+$/;

/** The errors of the expressions of an entry of `jwt`, and of the fields beside them. */
export function claimExpressionErrors(entry: JsonObject, at: string, compile: Compile): FieldError[] {
  const overClaims = (text: string): Expression => compile(text, ['claims']);
  const overUser = (text: string): Expression => compile(text, ['user']);
  const mappings = objectAt(entry, 'claimMappings');
  const mappingsAt = `${at}.claimMappings`;
  return [
    ...objectsAt(entry, 'claimValidationRules').flatMap((rule, index) => [
      ...claimRuleErrors(rule, `${at}.claimValidationRules[${index}]`),
      ...expressionErrors(rule, { at: `${at}.claimValidationRules[${index}]` }, overClaims),
    ]),
    ...['username', 'groups', 'uid'].flatMap((name) => [
      ...besideClaim(objectAt(mappings, name), `${mappingsAt}.${name}`),
      ...expressionErrors(objectAt(mappings, name), { at: `${mappingsAt}.${name}` }, overClaims),
    ]),
    ...extraErrors(objectsAt(mappings, 'extra'), `${mappingsAt}.extra`, overClaims),
    ...userRuleErrors(objectsAt(entry, 'userValidationRules'), `${at}.userValidationRules`, overUser),
  ];
}

function claimRuleErrors(rule: JsonObject, at: string): FieldError[] {
  const [claim, expression] = [stringAt(rule, 'claim'), stringAt(rule, 'expression')];
  if (claim !== '' && expression !== '') return [invalid(at, claim, "claim and expression can't both be set")];
  if (claim === '' && expression === '') return [required(at, 'claim or expression is required')];
  const [stray, other] = claim === '' ? ['requiredValue', 'expression'] : ['message', 'claim'];
  if (!isSet(rule, stray)) return [];
  return [invalid(`${at}.${stray}`, stringAt(rule, stray), `${stray} can't be set when ${other} is set`)];
}

function besideClaim(mapping: JsonObject, at: string): FieldError[] {
  if (stringAt(mapping, 'expression') === '') return [];
  if (stringAt(mapping, 'claim') !== '') return [invalid(at, '', "claim and expression can't both be set")];
  if (!isSet(mapping, 'prefix')) return [];
  return [invalid(`${at}.prefix`, stringAt(mapping, 'prefix'), "prefix can't be set when expression is set")];
}

function extraErrors(extra: readonly JsonObject[], at: string, compile: (text: string) => Expression): FieldError[] {
  const keys = extra.map((one) => stringAt(one, 'key'));
  return extra.flatMap((one, index) => {
    const key = keys[index] ?? '';
    const itemAt = `${at}[${index}]`;
    return [
      ...unknownFields(itemAt, one, extraFields),
      ...(key === '' ? [required(`${itemAt}.key`)] : []),
      ...(key !== '' && !extraKeyPattern.test(key)
        ? [invalid(`${itemAt}.key`, key, 'must be a domain-prefixed path in lower case (such as "acme.io/foo")')]
        : []),
      ...(keys.indexOf(key) < index ? [duplicate(`${itemAt}.key`, key)] : []),
      ...(stringAt(one, 'valueExpression') === '' ? [required(`${itemAt}.valueExpression`)] : []),
      ...expressionErrors(one, { at: itemAt, name: 'valueExpression' }, compile),
    ];
  });
}

function userRuleErrors(rules: readonly JsonObject[], at: string, compile: (text: string) => Expression): FieldError[] {
  const texts = rules.map((rule) => stringAt(rule, 'expression'));
  return rules.flatMap((rule, index) => {
    const text = texts[index] ?? '';
    return [
      ...unknownFields(`${at}[${index}]`, rule, userRuleFields),
      ...(text === '' ? [required(`${at}[${index}].expression`)] : []),
      ...(text !== '' && texts.indexOf(text) < index ? [duplicate(`${at}[${index}].expression`, text)] : []),
      ...expressionErrors(rule, { at: `${at}[${index}]` }, compile),
    ];
  });
}

/**
 * An expression for the user name that reads the email must not take one that is not verified: the
 * claim `email_verified` has to be read too, as in kube-apiserver.
 */
export function unverifiedEmailErrors({ username, extra, claimRules }: ClaimExpressions, at: string): FieldError[] {
  const others = [...extra.map(({ value }) => value), ...claimRules.map(({ expression }) => expression)];
  if (!username?.fields.has('claims.email')) return [];
  if ([username, ...others].some(({ fields }) => fields.has('claims.email_verified'))) return [];
  return [
    invalid(
      `${at}.claimMappings.username.expression`,
      username.text,
      'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression ' +
        'or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
    ),
  ];
}

/** The expressions of a valid entry; undefined if it has none. */
export function claimExpressionsOf(entry: JsonObject, compile: Compile): ClaimExpressions | undefined {
  const mappings = objectAt(entry, 'claimMappings');
  const expressionAt = (name: string): Expression | undefined => {
    const text = stringAt(objectAt(mappings, name), 'expression');
    return text === '' ? undefined : compile(text, ['claims']);
  };
  const rulesAt = (name: string, variable: string): readonly CheckedRule[] =>
    objectsAt(entry, name)
      .filter((rule) => stringAt(rule, 'expression') !== '')
      .map((rule) => ({
        expression: compile(stringAt(rule, 'expression'), [variable]),
        message: stringAt(rule, 'message'),
      }));
  const expressions: ClaimExpressions = {
    username: expressionAt('username'),
    groups: expressionAt('groups'),
    uid: expressionAt('uid'),
    extra: objectsAt(mappings, 'extra').map((one) => ({
      key: stringAt(one, 'key'),
      value: compile(stringAt(one, 'valueExpression'), ['claims']),
    })),
    claimRules: rulesAt('claimValidationRules', 'claims'),
    userRules: rulesAt('userValidationRules', 'user'),
  };
  return Object.values(expressions)
    .flat()
    .some((one) => one !== undefined)
    ? expressions
    : undefined;
}
