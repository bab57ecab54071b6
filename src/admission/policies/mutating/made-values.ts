import { CelList, CelMap, CelObject, type CelValue, fieldsOf, itemsOf } from '../../../cel/values/cel-value.ts';
import { ExpressionError } from '../../../cel/values/expression.ts';
import { CostExceeded, type WorkMeter } from '../../../cel/values/work-meter.ts';
import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { PatchError } from '../../../patch/patch-error.ts';
import { checkDepth } from '../../../patch/patch-limits.ts';
import { MutationError } from './mutation-error.ts';
import { type ObjectFields, objectFields } from './object-fields.ts';
import { patchValue } from './patch-value.ts';

/** Converts the value of an ApplyConfiguration expression. Throws `MutationError`. */
export function madeObject(value: CelValue, meter: WorkMeter): ObjectFields {
  if (!(value instanceof CelObject)) {
    throw new MutationError('unsupported return type from ApplyConfiguration expression');
  }
  return withinLimits(() => {
    checkTypes(value, meter);
    const made = objectFields(value, meter);
    checkDepth(made.fields);
    return made;
  });
}

/** Converts the value of a JSONPatch expression. Throws `MutationError`. */
export function madePatch(value: CelValue, meter: WorkMeter): JsonObject[] {
  if (!(value instanceof CelList)) {
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array');
  }
  return itemsOf(meter, value).map((item) => {
    if (!(item instanceof CelObject)) {
      throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
    }
    const [op, path, from] = ['op', 'path', 'from'].map((name) => item.get(name) ?? '');
    const written = item.get('value');
    return {
      op: textOf(op),
      path: textOf(path),
      ...(from === '' ? {} : { from: textOf(from) }),
      ...(written === undefined ? {} : { value: jsonOf(written, meter) }),
    };
  });
}

function textOf(value: CelValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/**
 * The errors of values that cannot be converted. RangeError: a very deep value overflows the stack.
 */
const errorsOfValues = [ExpressionError, CostExceeded, PatchError, RangeError];

function jsonOf(value: CelValue, meter: WorkMeter): JsonValue {
  return withinLimits(() => {
    if (value instanceof CelObject) checkTypes(value, meter);
    const made = patchValue(value, meter);
    checkDepth(made);
    return made;
  });
}

function withinLimits<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (errorsOfValues.some((kind) => error instanceof kind)) {
      throw new MutationError((error as Error).message, { cause: error });
    }
    throw error;
  }
}

function checkTypes(value: CelObject, meter: WorkMeter): void {
  const problems: string[] = [];
  checkNames(value, nameOf(value), meter, problems);
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join('\n')}`);
}

function nameOf({ type }: CelObject): string {
  return type.kind === 'object' ? type.name : '';
}

/**
 * Checks that the type of each nested object is named for its path; lists and maps are no steps.
 */
function checkNames(value: CelValue, expected: string, meter: WorkMeter, problems: string[]): void {
  if (value instanceof CelObject) {
    const name = nameOf(value);
    if (name !== expected) {
      const [found, wanted] = [JSON.stringify(name), JSON.stringify(expected)];
      problems.push(
        `unexpected type name ${found}, expected ${wanted}, which matches field name path from root Object type`,
      );
    }
    for (const field of fieldsOf(meter, value)) {
      checkNames(value.get(field) ?? null, `${expected}.${field}`, meter, problems);
    }
  } else if (value instanceof CelList) {
    for (const item of itemsOf(meter, value)) checkNames(item, expected, meter, problems);
  } else if (value instanceof CelMap) {
    for (const key of value.keys(meter)) checkNames(value.get(key) ?? null, expected, meter, problems);
  }
}
