import { authorizationTypes } from '../../identifiers/expression-types.ts';
import { validateDnsLabel, validateDnsSubdomain } from '../../meta/validate-name.ts';
import type { AuthorizationCheck, AuthorizerValue } from '../values/authorizer-value.ts';
import { type CelValue, Failure, Opaque } from '../values/cel-value.ts';
import type { Library } from './library.ts';

/** The error of an empty part of a check. */
function required(what: 'path' | 'resource', text: string): Failure | undefined {
  return text.trim() === '' ? new Failure(`${what} must not be empty`) : undefined;
}

function serviceAccount(authorizer: AuthorizerValue, namespace: string, name: string): CelValue {
  if (validateDnsSubdomain(name).length > 0) return new Failure('Invalid service account name');
  if (validateDnsLabel(namespace).length > 0) return new Failure('Invalid service account namespace');
  return authorizer.with('Authorizer', { serviceAccount: { namespace, name } });
}

/** Makes a function that sets a part of a resource check. */
function part(field: keyof AuthorizationCheck): (check: AuthorizerValue, text: string) => CelValue {
  return (check, text) => check.with('ResourceCheck', { [field]: text });
}

function decide({ decisions, check }: AuthorizerValue, verb: string): CelValue {
  return new Opaque(`${authorizationTypes}Decision`, '', decisions.decide({ ...check, verb }));
}

function decisionOf({ content }: Opaque): ReturnType<AuthorizerValue['decisions']['decide']> {
  return content as ReturnType<AuthorizerValue['decisions']['decide']>;
}

/** The authorizer library: checks of access, for policies. */
export const authorizers: Library = {
  methods: [
    [
      'path(Authorizer, string): PathCheck',
      (authorizer: AuthorizerValue, path: string) => required('path', path) ?? authorizer.with('PathCheck', { path }),
    ],
    [
      'group(Authorizer, string): GroupCheck',
      (authorizer: AuthorizerValue, group: string) => authorizer.with('GroupCheck', { group }),
    ],
    ['serviceAccount(Authorizer, string, string): Authorizer', serviceAccount],
    [
      'resource(GroupCheck, string): ResourceCheck',
      (group: AuthorizerValue, resource: string) =>
        required('resource', resource) ?? group.with('ResourceCheck', { resource }),
    ],
    ['subresource(ResourceCheck, string): ResourceCheck', part('subresource')],
    ['namespace(ResourceCheck, string): ResourceCheck', part('namespace')],
    ['name(ResourceCheck, string): ResourceCheck', part('name')],
    ['check(PathCheck, string): Decision', decide],
    ['check(ResourceCheck, string): Decision', decide],
    ['errored(Decision): bool', (decision: Opaque) => decisionOf(decision).error !== ''],
    ['error(Decision): string', (decision: Opaque) => decisionOf(decision).error],
    ['allowed(Decision): bool', (decision: Opaque) => decisionOf(decision).allowed],
    ['reason(Decision): string', (decision: Opaque) => decisionOf(decision).reason],
  ],
};

/** The field and label selectors of authorizer checks. */
export const authorizerSelectors: Library = {
  methods: [
    ['fieldSelector(ResourceCheck, string): ResourceCheck', part('fieldSelector')],
    ['labelSelector(ResourceCheck, string): ResourceCheck', part('labelSelector')],
  ],
};
