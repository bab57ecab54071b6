import { andThen, type MaybePromise } from '../../../async/maybe-promise.ts';
import { meterFor } from '../../../cel/values/work-meter.ts';
import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { applyLongPatch } from '../../../patch/json-patch.ts';
import { PatchError } from '../../../patch/patch-error.ts';
import type { AdmittedVersion } from '../../admission.ts';
import { Activation, BudgetExceeded, type ExpressionInputs } from '../../expressions/activation.ts';
import type { Evaluation } from '../../expressions/evaluation.ts';
import { mergeConfiguration } from './applied-configuration.ts';
import { madeObject, madePatch } from './made-values.ts';
import { MutationError } from './mutation-error.ts';
import type { CompiledMutation, MutatingExpressions } from './mutating-policy.ts';

/** The cost of one mutation, as in kube-apiserver. */
const mutationBudget = 10_000_000;

/** The work of making JSON of the value of an expression, as a cost. */
const valueBudget = 1_000_000;

/** Changes a document in the version of a policy. */
type ChangeDocument = (shown: JsonObject) => MaybePromise<JsonValue>;

/**
 * Evaluates a mutation; returns the change that it makes. Throws `MutationError`, and so does the
 * change.
 */
export function* evaluateMutation(
  { hasParams, variables }: MutatingExpressions,
  { type, expression }: CompiledMutation,
  inputs: ExpressionInputs,
  version: AdmittedVersion,
): Evaluation<ChangeDocument> {
  if (expression.error !== undefined) throw new MutationError(expression.error);
  const activation = new Activation(inputs, { budget: mutationBudget, hasParams, variables });
  try {
    const { value, error } = yield* activation.evaluate(expression);
    if (error !== '') throw new MutationError(error);
    const meter = meterFor(valueBudget);
    if (type === 'JSONPatch') return patchWith(madePatch(value, meter));
    const made = madeObject(value, meter);
    return (shown) => {
      const schema = version.schema();
      return schema ? mergeConfiguration(schema, shown, made) : shown;
    };
  } catch (error) {
    if (error instanceof BudgetExceeded) throw new MutationError(error.message);
    throw error;
  }
}

/** A patch whose test does not hold changes nothing. */
function patchWith(operations: JsonObject[]): ChangeDocument {
  return (shown) => {
    try {
      const patched = applyLongPatch(shown, withFalseTests(operations));
      return patched instanceof Promise ? patched.catch((error: unknown) => refused(error, shown)) : patched;
    } catch (error) {
      return refused(error, shown);
    }
  };
}

/**
 * The null of an expression is neither a missing member nor the null of a document, as in
 * kube-apiserver: a test for it holds only where the patch has written one. A test without a value
 * holds for those two. Tests that cannot hold get a value that nothing equals.
 */
function withFalseTests(operations: JsonObject[]): JsonObject[] {
  const nulls = new Set<JsonValue | undefined>();
  return operations.map((operation) => {
    const { op, path, value } = operation;
    if (op !== 'test') {
      if (value === null) nulls.add(path);
      else nulls.delete(path);
      return operation;
    }
    const mayHold = (value !== null && value !== undefined) || nulls.has(path) === (value === null);
    return mayHold ? operation : { ...operation, value: Number.NaN };
  });
}

function refused(error: unknown, shown: JsonObject): JsonObject {
  if (!(error instanceof PatchError)) throw error;
  if (error.kind === 'untrue') return shown;
  throw new MutationError(`JSON Patch: ${error.message}`, { cause: error });
}

/** Objects of a request in the version of a policy. */
export function shownObjects(
  version: AdmittedVersion,
  object: JsonObject | undefined,
  old: JsonObject | undefined,
): MaybePromise<readonly [JsonObject | null, JsonObject | null]> {
  return andThen(object ? version.show(object) : null, (now) =>
    andThen(old ? version.show(old) : null, (before) => [now, before]),
  );
}
