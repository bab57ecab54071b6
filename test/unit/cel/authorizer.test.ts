import assert from 'node:assert/strict';
import { fullEnvironment } from '../../../src/cel/functions/environment.ts';
import { compileProgram } from '../../../src/cel/program.ts';
import type { CelType } from '../../../src/cel/types/cel-type.ts';
import { type AuthorizationCheck, AuthorizerValue } from '../../../src/cel/values/authorizer-value.ts';
import { Failure } from '../../../src/cel/values/cel-value.ts';
import { meterFor } from '../../../src/cel/values/work-meter.ts';

function opaque(name: string): CelType {
  return { kind: 'opaque', name: `kubernetes.authorization.${name}` };
}

const variables = new Map([
  ['authorizer', opaque('Authorizer')],
  ['authorizer.requestResource', opaque('ResourceCheck')],
]);

/** Allows the verb `get`, and keeps the checks that it was asked about. */
function authorizerOf({ isLate = false } = {}): { values: AuthorizerValue[]; asked: AuthorizationCheck[] } {
  const asked: AuthorizationCheck[] = [];
  const authorizer = new AuthorizerValue((check) => {
    asked.push(check);
    const allowed = check.verb === 'get';
    const decision = { allowed, reason: allowed ? 'readers' : '', error: allowed ? '' : 'no such verb' };
    return isLate ? Promise.resolve(decision) : decision;
  });
  const requested = { group: 'apps', resource: 'deployments', subresource: 'scale', namespace: 'a', name: 'b' };
  return { values: [authorizer, authorizer.with('ResourceCheck', requested)], asked };
}

const program = (text: string): ReturnType<typeof compileProgram> =>
  compileProgram(text, { environment: fullEnvironment(), variables });

/** Expressions, and the parts of the check that they make. */
const checks: readonly (readonly [text: string, check: Partial<AuthorizationCheck>])[] = [
  ['authorizer.path("/healthz").check("get").allowed()', { verb: 'get', path: '/healthz' }],
  [
    'authorizer.group("").resource("pods").subresource("log").namespace("a").name("b").check("get").allowed()',
    { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'a', name: 'b' },
  ],
  [
    'authorizer.group("").resource("pods").fieldSelector("a=b").labelSelector("c").check("get").allowed()',
    { fieldSelector: 'a=b', labelSelector: 'c' },
  ],
  [
    'authorizer.serviceAccount("a", "b").path("/x").check("get").reason() == "readers"',
    { serviceAccount: { namespace: 'a', name: 'b' } },
  ],
  ['!authorizer.requestResource.check("zork").allowed()', { verb: 'zork', resource: 'deployments', name: 'b' }],
  ['authorizer.path("/x").check("zork").error() == "no such verb"', { path: '/x' }],
  ['authorizer.path("/x").check("zork").errored()', { path: '/x' }],
];

/** Expressions, and their errors. */
const wrong: readonly (readonly [text: string, error: string])[] = [
  ['authorizer.path(" ").check("get").allowed()', 'path must not be empty'],
  ['authorizer.group("").resource("").check("get").allowed()', 'resource must not be empty'],
  ['authorizer.serviceAccount("a", "B").path("/x").check("get").allowed()', 'Invalid service account name'],
  ['authorizer.serviceAccount("a.b", "b").path("/x").check("get").allowed()', 'Invalid service account namespace'],
];

describe('the authorizer of expressions', () => {
  for (const [text, check] of checks) {
    it(`is asked by ${text}`, () => {
      const { values, asked } = authorizerOf();
      assert.equal(program(text).run(values, 1_000_000, meterFor(1_000_000)).value, true);
      assert.deepEqual(asked, [{ ...asked[0], ...check }]);
    });
  }
  for (const [text, error] of wrong) {
    it(`is not asked by ${text}`, () => {
      const { value } = program(text).run(authorizerOf().values, 1_000_000, meterFor(1_000_000));
      assert.deepEqual(value, new Failure(error));
    });
  }

  it('is asked once for each check, and costs as much as two checks of an expression', () => {
    const { values, asked } = authorizerOf();
    const check = 'authorizer.path("/x").check("get").allowed()';
    const outcome = program(`${check} && ${check}`).run(values, 1_000_000, meterFor(1_000_000));
    assert.deepEqual([outcome.value, outcome.cost, asked.length], [true, 700_006, 1]);
    const most = (): unknown => program(`${check} && ${check} && ${check}`).run(values, 1_000_000, meterFor(1_000_000));
    assert.throws(most, /cost limit exceeded/);
  });

  it('may answer later', async () => {
    const { values, asked } = authorizerOf({ isLate: true });
    const text = 'authorizer.path("/x").check("get").allowed() && !authorizer.path("/y").check("list").allowed()';
    const outcome = await program(text).runDeciding(values, 1_000_000, () => meterFor(1_000_000));
    // One more for the negation.
    assert.deepEqual([outcome.value, outcome.cost], [true, 700_007]);
    assert.deepEqual(
      asked.map(({ path }) => path),
      ['/x', '/y'],
    );
  });
});
