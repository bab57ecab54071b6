import assert from 'node:assert/strict';
import { Activation, BudgetExceeded } from '../../../src/admission/expressions/activation.ts';
import { compiledOnce } from '../../../src/admission/expressions/compiled-once.ts';
import {
  compileExpression,
  environmentOfStored,
  results,
} from '../../../src/admission/expressions/compile-expression.ts';
import { type ComposedVariables, composeVariables } from '../../../src/admission/expressions/compose-variables.ts';
import { compileConditions } from '../../../src/admission/expressions/compile-conditions.ts';
import { matchesNothing } from '../../../src/admission/policies/match-criteria.ts';
import { decidingPolicies } from '../../../src/admission/policies/exempt-resources.ts';
import { policySource, type ReadPolicy } from '../../../src/admission/policies/policy-source.ts';
import { type MaybePromise, runMaybeAsync } from '../../../src/async/maybe-promise.ts';
import type { ListerOf } from '../../../src/meta/lister.ts';
import { anonymous, serverUser, type UserInfo } from '../../../src/meta/user-info.ts';
import { type CelType, listOf, type ObjectType, types } from '../../../src/cel/types/cel-type.ts';
import { writeOf } from './attributes.ts';

const scope = { hasParams: false, hasAuthorizer: true, environmentOf: environmentOfStored };
const noInputs = { object: null, oldObject: null, namespaceObject: null, request: null, params: null };

/** The variables of expressions, in order. */
function variablesOf(expressions: Readonly<Record<string, string>>): MaybePromise<ComposedVariables> {
  const variables = Object.entries(expressions).map(([name, expression]) => ({ name, expression }));
  return runMaybeAsync(composeVariables(variables, scope, () => undefined));
}

/** Evaluates a condition over variables, with a budget. */
function evaluate(text: string, variables: ComposedVariables, budget: number) {
  const expression = compileExpression(text, { ...scope, variables: variables.type }, results.condition);
  const activation = new Activation(noInputs, { budget, hasParams: false, variables });
  return runMaybeAsync(activation.evaluate(expression));
}

/** Numbered names. */
function names(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

describe('the expressions of a policy', () => {
  it('end when their variables take more work than the budget, whatever their price', async () => {
    const doubled = (prefix: string) =>
      names(prefix, 13).map((name, index): [string, string] => {
        const before = `variables.${prefix}${index - 1}`;
        return [name, index === 0 ? '[1]' : `[${before}, ${before}]`];
      });
    const compared = names('same', 30).map((name): [string, string] => [name, 'variables.a12 == variables.b12']);
    const variables = await variablesOf(Object.fromEntries([...doubled('a'), ...doubled('b'), ...compared]));
    const all = `[${compared.map(([name]) => `variables.${name}`).join(', ')}].all(x, x)`;
    await assert.rejects(async () => evaluate(all, variables, 100_000), BudgetExceeded);
    const { value } = await evaluate('variables.same0 && variables.same1', variables, 100_000);
    assert.equal(value, true);
  });

  it('have an error when variables build on each other beyond the stack', async () => {
    const chain = names('v', 3_000).map((name, index): [string, string] => [
      name,
      index === 0 ? '1' : `variables.v${index - 1} + 1`,
    ]);
    const { error } = await evaluate(
      'variables.v2999 == 3000',
      await variablesOf(Object.fromEntries(chain)),
      10_000_000,
    );
    assert.match(error, /fails to evaluate: .*nested too deeply$/);
  });

  it('do not compile with types that are nested beyond the stack', () => {
    let type: CelType = types.int;
    for (let depth = 0; depth < 20_000; depth++) type = listOf(type);
    const variables: ObjectType = { kind: 'object', name: 'variables', fields: new Map([['a', { name: 'a', type }]]) };
    const { error } = compileExpression('variables.a == [1]', { ...scope, variables }, results.condition);
    assert.match(error ?? '', /^compilation failed: the types are nested too deeply$/);
  });

  it('let other requests run while conditions are compiled', async () => {
    const expression = `true${' && object.metadata.name != "a"'.repeat(600)}`;
    const conditions = names('c', 40).map((name) => ({ name, expression }));
    assert.ok((await turnsOf(() => runMaybeAsync(compileConditions(conditions)))) > 1);
  });

  it('fail for a part of a value without parts as for a missing key', async () => {
    const { error } = await evaluate('oldObject.data == 1', await variablesOf({}), 1_000);
    assert.equal(error, "expression 'oldObject.data == 1' resulted in error: no such key: data");
  });

  it('are forgotten when the policy was used longest ago of too many', () => {
    const forgotten: string[] = [];
    const listerOf = (() => ({ follow: () => ({ catchUp: () => undefined }) })) as unknown as ListerOf;
    const policyOf = (name: string): ReadPolicy => {
      const expressions = { forget: () => void forgotten.push(name) };
      return { name, criteria: matchesNothing, textLength: 1_500_000, expressions };
    };
    const { used } = policySource(listerOf, {
      apiDomain: '',
      policies: 'policies',
      bindings: 'bindings',
      readPolicy: () => policyOf(''),
      readBinding: () => ({ name: 'b', policyName: 'a', criteria: undefined }),
      fromFiles: undefined,
    });
    const [a, b, c] = ['a', 'b', 'c'].map(policyOf) as [ReadPolicy, ReadPolicy, ReadPolicy];
    for (const one of [a, b, a, c]) used(one);
    assert.deepEqual(forgotten, ['b']);
  });

  it('decide neither on reviews nor on the addresses that a server records before it is ready', () => {
    const deciding = decidingPolicies({ apiDomain: 'cl.io' });
    const decidingOn = (resource: string, user: UserInfo) => deciding(writeOf(resource, {}, { user }));
    assert.equal(decidingOn('ipaddresses.networking.cl.io', serverUser), 'none');
    assert.equal(decidingOn('ipaddresses.networking.cl.io', { ...serverUser }), 'all');
    assert.equal(decidingOn('tokenreviews.authentication.cl.io', anonymous), 'none');
    assert.equal(decidingOn('validatingadmissionpolicies.admissionregistration.cl.io', anonymous), 'static');
  });

  it('are forgotten when another state replaces the policy, or it is deleted', () => {
    let forgotten = 0;
    const expressions = { forget: () => void forgotten++ };
    const policyOf = (): ReadPolicy => ({ name: 'a', criteria: matchesNothing, textLength: 1, expressions });
    let changed: (key: string, item: ReadPolicy | undefined) => void = () => {};
    const listerOf = (({ resource }: { readonly resource: string }) => ({
      follow(listener: typeof changed) {
        if (resource === 'policies') changed = listener;
        return { catchUp: () => undefined };
      },
    })) as unknown as ListerOf;
    const readBinding = () => ({ name: 'b', policyName: 'a', criteria: undefined });
    policySource(listerOf, {
      apiDomain: '',
      policies: 'policies',
      bindings: 'bindings',
      readPolicy: policyOf,
      readBinding,
      fromFiles: undefined,
    });
    changed('a', policyOf());
    assert.equal(forgotten, 0);
    changed('a', policyOf());
    assert.equal(forgotten, 1);
    changed('a', undefined);
    assert.equal(forgotten, 2);
  });

  it('are compiled again after a failure, and when they were forgotten', async () => {
    let count = 0;
    const compiled = compiledOnce(async () => {
      count++;
      if (count === 1) throw new Error('no memory');
      return {};
    });
    await assert.rejects(async () => compiled(), /no memory/);
    assert.deepEqual(await compiled(), {});
    assert.equal(await compiled(), compiled());
    compiled.forget();
    assert.deepEqual(await compiled(), {});
    assert.equal(count, 3);
  });
});

/** The number of turns of the event loop that work takes. */
async function turnsOf(work: () => MaybePromise<unknown>): Promise<number> {
  let count = 0;
  let isDone = false;
  const turn = (): void => {
    count++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return count;
}
