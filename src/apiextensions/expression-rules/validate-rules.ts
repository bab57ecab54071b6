import { type MaybeAsync, type MaybePromise, runMaybeAsync } from '../../async/maybe-promise.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import { correlate } from '../../scheme/structural/correlate-items.ts';
import { formatPath, keyStep, type PathStep } from '../../scheme/model/format-path.ts';
import { collectedErrorLimit } from '../../status/all-errors.ts';
import type { FieldError } from '../../status/field-error.ts';
import { type CelValue, Optional } from '../../cel/values/cel-value.ts';
import type { CompiledRule } from './compile-rules.ts';
import { ruleBudget, type RuleBudget, runRule, type ShownValue } from './run-rule.ts';
import type { RuleTree } from './rule-tree.ts';

/** The cost of all rules of one object, as in kube-apiserver. */
export const objectBudget = 10_000_000;

/** An object whose rules run. */
interface RuleRun {
  readonly errors: FieldError[];
  readonly budget: RuleBudget;
  /** Reports an error that an unchanged value had before; absent: it is an error. */
  readonly warn?: (text: string) => void;
  /** The minor number of the release whose errors are reported. */
  readonly release: number;
}

/** A value, with the value that it had before if that is known. */
interface RulePlace {
  readonly steps: readonly PathStep[];
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  /** Reports whether the nearest whole value that can be compared is unchanged. */
  readonly isUnchanged: () => boolean;
}

/**
 * Runs the rules of an object. Rules that read the old value run on updates only. Errors of values
 * that an update does not change are warnings. Costly rules yield to other requests between them.
 */
export function validateRules(
  tree: RuleTree,
  {
    object,
    old,
    warn,
    release,
  }: {
    readonly object: JsonObject;
    readonly old: JsonObject | undefined;
    readonly warn?: (text: string) => void;
    readonly release: number;
  },
): MaybePromise<readonly FieldError[]> {
  const budget = ruleBudget(objectBudget);
  return runMaybeAsync(rulesInSteps(tree, { value: object, old, budget, release, ...(warn ? { warn } : {}) }));
}

/** A value for rules, and the budget of the rules. */
interface CheckedValue extends Omit<RuleRun, 'errors'> {
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
}

/** Runs the rules of a value, and stops after each. */
export function* rulesInSteps(
  tree: RuleTree,
  { value, old, ...rest }: CheckedValue,
): MaybeAsync<void, readonly FieldError[]> {
  const run: RuleRun = { ...rest, errors: [] };
  yield* visit(tree, { steps: [], value, old, isUnchanged: () => false }, run);
  return run.errors;
}

/** Runs the rules of a value and of its parts, and stops after each. */
function* visit(tree: RuleTree, place: RulePlace, run: RuleRun): MaybeAsync<void, void> {
  if (place.value === null || isDone(run)) return;
  const here = { ...place, isUnchanged: unchangedReader(place) };
  if (tree.rules.length > 0) yield* runRules(tree, here, run);
  for (const part of tree.all) yield* visit(part, place, run);
  if (Array.isArray(here.value) && tree.element)
    yield* visitItems(tree, tree.element, { ...here, value: here.value }, run);
  else if (isJsonObject(here.value)) yield* visitFields(tree, { ...here, value: here.value }, run);
}

function isDone({ errors, budget }: RuleRun): boolean {
  return budget.left < 0 || errors.length >= collectedErrorLimit;
}

/** Compares a value with its old one, once. */
function unchangedReader({ value, old, isUnchanged }: RulePlace): () => boolean {
  let known: boolean | undefined;
  return () => (known ??= old === undefined ? isUnchanged() : sameValue(value, old));
}

function* runRules({ scope, rules }: RuleTree, place: RulePlace, run: RuleRun): MaybeAsync<void, void> {
  const self = scope.read(place.value);
  const old = place.old === undefined || place.old === null ? undefined : scope.read(place.old);
  for (const compiled of rules) {
    if (isDone(run)) return;
    const rule = compiled();
    if (!rule) continue;
    const oldSelf = oldSelfOf(rule, old);
    if (oldSelf === undefined) continue;
    const error = runRule(
      rule,
      [self, oldSelf],
      {
        shown: shownOf(scope.schema.type, place.value, run.release),
        type: scope.schema.type,
        pathOf: (steps) => pathOf([...place.steps, ...steps]),
      },
      run.budget,
    );
    if (error) report(rule, error, place, run);
    yield run.budget.rest();
  }
}

/** The first release whose errors show scalar values instead of types. */
const firstWithValues = 35;

function shownOf(type: string, value: JsonValue, release: number): ShownValue | undefined {
  if (release < firstWithValues) return { value: type };
  return type === 'object' || type === 'array' ? undefined : { value };
}

/** The old value as a rule reads it; undefined if the rule does not run without one. */
function oldSelfOf({ rule, usesOldSelf }: CompiledRule, old: CelValue | undefined): CelValue | undefined {
  if (rule.optionalOldSelf === true) return new Optional(old);
  if (old !== undefined) return old;
  return usesOldSelf ? undefined : null;
}

function pathOf(steps: readonly PathStep[]): string {
  return formatPath('', steps) || '<nil>';
}

function report(
  { usesOldSelf }: CompiledRule,
  { error, mayBeOld }: { readonly error: FieldError; readonly mayBeOld: boolean },
  place: RulePlace,
  run: RuleRun,
): void {
  if (run.warn && mayBeOld && !usesOldSelf && place.isUnchanged()) run.warn(`${error.field}: ${error.message}`);
  else run.errors.push(error);
}

function* visitItems(
  tree: RuleTree,
  element: RuleTree,
  place: RulePlace & { readonly value: readonly JsonValue[] },
  run: RuleRun,
): MaybeAsync<void, void> {
  const oldItem = correlate(tree.scope.schema.source, place.old);
  for (const [index, value] of place.value.entries()) {
    yield* visit(element, { ...place, steps: [...place.steps, index], value, old: oldItem?.(value) }, run);
  }
}

function* visitFields(
  { fields, element }: RuleTree,
  place: RulePlace & { readonly value: JsonObject },
  run: RuleRun,
): MaybeAsync<void, void> {
  const { value, old, steps } = place;
  const oldOf = (name: string): JsonValue | undefined => (isJsonObject(old) ? getOwn(old, name) : undefined);
  if (element) {
    for (const name of Object.keys(value)) {
      const part = value[name] ?? null;
      yield* visit(element, { ...place, steps: [...steps, keyStep(name)], value: part, old: oldOf(name) }, run);
    }
    return;
  }
  for (const [name, tree] of fields) {
    const part = getOwn(value, name);
    if (part !== undefined) {
      yield* visit(tree, { ...place, steps: [...steps, name], value: part, old: oldOf(name) }, run);
    }
  }
}
