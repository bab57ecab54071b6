import { identifierSets, identifiersOf } from '../identifiers/identifiers.ts';
import type { CheckedRule, ClaimExpressions } from '../authn/oidc/claim-expressions.ts';
import type { Expression } from '../cel/values/expression.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../meta/read-field.ts';
import { validateDnsSubdomain } from '../meta/validate-name.ts';
import { duplicate, type FieldError, invalid, required } from '../status/field-error.ts';
import { type Compile, expressionErrors } from './expression-loader.ts';

/** The path after the domain in a key of extra values (RFC 3986). */
const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathForm = new RegExp(`^${pathPattern}$`);

/** The reserved domains of keys; their subdomains are reserved too. */
const reservedDomains = identifierSets.map((set) => [identifiersOf(set).apiDomain, identifiersOf(set).labelDomain]);

const isCondition = (): string => 'must evaluate to bool';

/** The errors of the expressions of an entry of `jwt`, and of the fields beside them. */
export function claimExpressionErrors(entry: JsonObject, at: string, compile: Compile): FieldError[] {
  const overClaims = (text: string): Expression => compile(text, ['claims']);
  const overUser = (text: string): Expression => compile(text, ['user']);
  const mappings = objectAt(entry, 'claimMappings');
  const mappingsAt = `${at}.claimMappings`;
  return [
    ...objectsAt(entry, 'claimValidationRules').flatMap((rule, index, rules) => [
      ...claimRuleErrors(rule, `${at}.claimValidationRules[${index}]`, rules.slice(0, index)),
      ...expressionErrors(rule, { at: `${at}.claimValidationRules[${index}]`, isCondition }, overClaims),
    ]),
    ...['username', 'groups', 'uid'].flatMap((name) => [
      ...besideClaim(objectAt(mappings, name), `${mappingsAt}.${name}`),
      ...expressionErrors(objectAt(mappings, name), { at: `${mappingsAt}.${name}` }, overClaims),
    ]),
    ...extraErrors(objectsAt(mappings, 'extra'), `${mappingsAt}.extra`, overClaims),
    ...userRuleErrors(objectsAt(entry, 'userValidationRules'), `${at}.userValidationRules`, overUser),
  ];
}

function claimRuleErrors(rule: JsonObject, at: string, earlier: readonly JsonObject[]): FieldError[] {
  const [claim, expression] = [stringAt(rule, 'claim'), stringAt(rule, 'expression')];
  if (claim !== '' && expression !== '') return [invalid(at, claim, "claim and expression can't both be set")];
  if (claim === '' && expression === '') return [required(at, 'claim or expression is required')];
  const [own, other, stray] =
    claim === '' ? ['expression', 'claim', 'requiredValue'] : ['claim', 'expression', 'message'];
  const isRepeated = earlier.some((one) => stringAt(one, own) === stringAt(rule, own) && stringAt(one, other) === '');
  return [
    ...(stringAt(rule, stray) === ''
      ? []
      : [invalid(`${at}.${stray}`, stringAt(rule, stray), `may not be specified when ${own} is set`)]),
    ...(isRepeated ? [duplicate(`${at}.${own}`, stringAt(rule, own))] : []),
  ];
}

function besideClaim(mapping: JsonObject, at: string): FieldError[] {
  if (stringAt(mapping, 'expression') === '') return [];
  if (stringAt(mapping, 'claim') !== '') return [invalid(at, '', "claim and expression can't both be set")];
  if (!isSet(mapping, 'prefix')) return [];
  return [invalid(`${at}.prefix`, stringAt(mapping, 'prefix'), 'may not be specified when expression is set')];
}

function extraErrors(extra: readonly JsonObject[], at: string, compile: (text: string) => Expression): FieldError[] {
  const keys = extra.map((one) => stringAt(one, 'key'));
  return extra.flatMap((one, index) => {
    const key = keys[index] ?? '';
    const itemAt = `${at}[${index}]`;
    return [
      ...extraKeyErrors(key, `${itemAt}.key`),
      ...(keys.indexOf(key) < index ? [duplicate(`${itemAt}.key`, key)] : []),
      ...(stringAt(one, 'valueExpression') === '' ? [required(`${itemAt}.valueExpression`)] : []),
      ...expressionErrors(one, { at: itemAt, name: 'valueExpression' }, compile),
    ];
  });
}

/** The errors of a key of extra values, which is a domain and a path in lower case. */
function extraKeyErrors(key: string, at: string): FieldError[] {
  const [domain = '', ...rest] = key.split('/');
  const path = rest.join('/');
  if (key === '') return [required(at)];
  return [
    ...(domain === '' || path === ''
      ? [invalid(at, key, 'must be a domain-prefixed path (such as "acme.io/foo")')]
      : [
          ...validateDnsSubdomain(domain).map((problem) => invalid(at, domain, problem)),
          ...(pathForm.test(path)
            ? []
            : [invalid(at, path, `Invalid path (regex used for validation is '${pathPattern}')`)]),
        ]),
    ...(key === key.toLowerCase() ? [] : [invalid(at, key, 'must be lowercase')]),
    ...reservedDomains.flatMap((domains) =>
      path !== '' && domains.some((one) => domain === one || domain.endsWith(`.${one}`))
        ? [invalid(at, key, `${domains.join(', ')} and their subdomains are reserved for Kubernetes use`)]
        : [],
    ),
  ];
}

function userRuleErrors(rules: readonly JsonObject[], at: string, compile: (text: string) => Expression): FieldError[] {
  const texts = rules.map((rule) => stringAt(rule, 'expression'));
  return rules.flatMap((rule, index) => {
    const text = texts[index] ?? '';
    return [
      ...(text === '' ? [required(`${at}[${index}].expression`)] : []),
      ...(text !== '' && texts.indexOf(text) < index ? [duplicate(`${at}[${index}].expression`, text)] : []),
      ...expressionErrors(rule, { at: `${at}[${index}]`, isCondition }, compile),
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
