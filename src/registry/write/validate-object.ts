import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { fieldsRelease } from '../../scheme/emulated-release.ts';
import { withReleaseMessages } from '../../scheme/with-release-messages.ts';
import { allErrors, noErrors } from '../../status/all-errors.ts';
import type { FieldError } from '../../status/field-error.ts';
import { invalidObject } from '../../status/status-error.ts';
import { type FoundErrors, joinErrors } from './join-errors.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import type { StrategyContext } from '../definition/strategy.ts';

/** A write whose object is validated; `name` is shown in the error. */
interface ValidatedWrite {
  readonly resource: StoredResource;
  readonly scope: StrategyContext;
  readonly name: string;
  readonly object: JsonObject;
  readonly old?: JsonObject;
  /** True for a write of the status alone. */
  readonly isStatus?: boolean;
}

/** Finds some of the errors of an object. */
type Check = () => readonly FieldError[] | Promise<readonly FieldError[]>;

/** The checks of a write, by the order of their errors (`FoundErrors`). */
interface ObjectChecks {
  readonly metadata: Check;
  readonly schema: Check;
  readonly rules: readonly Check[];
  /** Rules for the change of an object. */
  readonly changes?: Check;
}

/**
 * Validates the object of a write, and throws 422 with all its errors. Each check is a step, so
 * that the write of a large object yields between them.
 */
export async function validateObject(write: ValidatedWrite, checks: ObjectChecks): Promise<void> {
  const { resource, scope, name } = write;
  const found: Record<keyof FoundErrors, readonly FieldError[]> = {
    metadata: noErrors,
    schema: noErrors,
    rules: noErrors,
    laterRules: noErrors,
  };
  const steps: readonly (readonly [keyof FoundErrors, Check])[] = [
    ['metadata', checks.metadata],
    ['schema', checks.schema],
    ...checks.rules.map((check) => ['rules', check] as const),
    ['laterRules', () => slowErrors(write, found)],
    ...(checks.changes ? [['laterRules', checks.changes] as const] : []),
  ];
  for (const [part, check] of steps) {
    const start = performance.now();
    found[part] = allErrors(found[part], await check());
    await yieldIfLong(start);
  }
  const errors = joinErrors(found);
  if (errors.length === 0) return;
  throw invalidObject(resource.kindSubject, name, withReleaseMessages(scope.emulated.release, errors));
}

/** Runs the rules that take long, which may depend on the errors already found. */
function slowErrors({ resource, scope, object, old, isStatus }: ValidatedWrite, found: FoundErrors): ReturnType<Check> {
  const validate = resource.storageVersion.schema.validateRules ?? resource.strategy.validateRules;
  if (!validate) return noErrors;
  return validate(object, {
    ...(old ? { old } : {}),
    ...(isStatus ? { isStatus } : {}),
    found: allErrors(found.metadata, found.rules, found.schema),
    release: fieldsRelease(scope.emulated),
    warn: (text) => scope.warn(text),
  });
}
