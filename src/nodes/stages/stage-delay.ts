import { ExpressionError } from '../../cel/values/expression.ts';
import { type CelValue, Duration, Uint } from '../../cel/values/cel-value.ts';
import { parseDuration } from '../../meta/duration.ts';
import type { CompiledStage } from './compile-stage.ts';
import type { StageBudget, StageExpression, StageVariables } from './stage-expression.ts';

const nanosPerMs = 1_000_000;

/**
 * The delay of a stage for an object in milliseconds: its duration, and a random part of its
 * jitter. `random` returns a number from 0 to below 1. Throws as expressions do, and for a negative
 * delay.
 */
export function stageDelayMs(
  { delay }: CompiledStage,
  variables: StageVariables,
  budget: StageBudget,
  random: () => number,
): number {
  const { durationMs, jitterMs, durationFrom, jitterFrom } = delay;
  const read = (from: StageExpression | undefined, otherwise: number, field: string): number =>
    from ? millisecondsOf(valueOf(from, variables, budget, field), field) : otherwise;
  const duration = read(durationFrom, durationMs, 'durationFrom');
  const jitter = read(jitterFrom, jitterMs, 'jitterDurationFrom');
  return duration + jitter * random();
}

function valueOf(from: StageExpression, variables: StageVariables, budget: StageBudget, field: string): CelValue {
  try {
    return from.evaluate(variables, budget);
  } catch (cause) {
    if (!(cause instanceof ExpressionError)) throw cause;
    throw new ExpressionError(`spec.delay.${field}: ${cause.message}`, { cause });
  }
}

/** Milliseconds of a duration, a text such as `5s` or `5`, or a number of seconds. */
function millisecondsOf(value: CelValue, field: string): number {
  const milliseconds = plainMilliseconds(value);
  if (milliseconds >= 0) return milliseconds;
  throw new ExpressionError(`spec.delay.${field}: the value is not a duration such as 5s, or is negative`);
}

function plainMilliseconds(value: CelValue): number {
  if (value instanceof Duration) return Number(value.nanos) / nanosPerMs;
  if (value instanceof Uint) return 1000 * Number(value.value);
  if (typeof value === 'bigint' || typeof value === 'number') return 1000 * Number(value);
  if (typeof value !== 'string') return Number.NaN;
  if (/^\d{1,12}(\.\d{1,9})?$/.test(value)) return 1000 * Number(value);
  return Number(parseDuration(value) ?? Number.NaN) / nanosPerMs;
}
