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

/** The cost budget of one mutation, as in kube-apiserver. */
const mutationBudget = 10_000_000;

/** The limit of the work of converting an expression's value to JSON, as a cost. */
const valueBudget = 1_000_000;

/** Changes a document in the version of a policy. */
type ChangeDocument = (shown: JsonObject) => MaybePromise<JsonValue>;

/** Evaluates a mutation and returns its change. Both throw `MutationError`. */
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

/** Applies a patch. If one of its tests fails, nothing is changed. */
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
 * Makes tests for null fail where they do in kube-apiserver. The null of an expression equals
 * neither a missing member nor a null of the document, only a null that the patch itself has
 * written. A test without a value matches a missing member and null. A test that must fail gets a
 * value that equals nothing.
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

/** The objects of a request in the version of a policy. */
export function shownObjects(
  version: AdmittedVersion,
  object: JsonObject | undefined,
  old: JsonObject | undefined,
): MaybePromise<readonly [JsonObject | null, JsonObject | null]> {
  return andThen(object ? version.show(object) : null, (now) =>
    andThen(old ? version.show(old) : null, (before) => [now, before]),
  );
}
