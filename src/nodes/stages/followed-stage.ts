import { ExpressionError } from '../../cel/values/expression.ts';
import { CostExceeded } from '../../cel/values/work-meter.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { CompiledStage } from './compile-stage.ts';
import { stageDelayMs } from './stage-delay.ts';
import { newBudget, type StageVariables } from './stage-expression.ts';
import type { Template } from './stage-template.ts';

/** Reports a problem of a stage: a word for programs, and a sentence. */
type WarnOfStage = (reason: string, message: string) => void;

/** An object as far as selectors read it. */
export interface SelectableObject {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly deletionTimestamp?: string | undefined;
  };
}

/** The next state of an object, with the values of its expressions. */
export interface NextState extends Pick<CompiledStage['next'], 'outcome' | 'finalizers' | 'delete'> {
  readonly status: JsonObject | undefined;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  readonly event:
    | { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }
    | undefined;
}

/** After this many failures one after the other a stage is switched off. */
const failureLimit = 5;

/** The longest texts of Events. */
const longestReason = 128;
const longestMessage = 1024;

/** Different problems of a stage that are reported. */
const warningLimit = 10;

/**
 * A stage in use. Its problems are reported once each. A stage whose expressions exceed their cost
 * limit, or whose next state fails, for several objects one after the other is switched off until
 * it is changed.
 */
export class FollowedStage {
  readonly stage: CompiledStage;
  readonly #warn: WarnOfStage;
  readonly #reported = new Set<string>();
  #exceeded = 0;
  #failed = 0;
  #isOff = false;

  constructor(stage: CompiledStage, warn: WarnOfStage) {
    this.stage = stage;
    this.#warn = warn;
  }

  get weight(): number {
    return this.stage.weight;
  }

  /** False once the stage is switched off. */
  get isActive(): boolean {
    return !this.#isOff;
  }

  /** True if the selector matches an object. The variables are made only if they are needed. */
  matches({ metadata }: SelectableObject, variables: () => StageVariables): boolean {
    const { isTerminating, matchesLabels, annotations, condition } = this.stage;
    if (this.#isOff || isTerminating !== (metadata.deletionTimestamp !== undefined)) return false;
    if (!matchesLabels(metadata.labels ?? {})) return false;
    const present = metadata.annotations ?? {};
    if (annotations.some(([name, value]) => getOwn(present, name) !== value)) return false;
    if (!condition) return true;
    try {
      const value = condition.evaluate(variables(), newBudget());
      this.#exceeded = 0;
      if (typeof value !== 'boolean')
        this.warn('StageProblem', 'spec.selector.expression: the value is not true or false');
      return value === true;
    } catch (error) {
      this.#noteError(error, 'spec.selector.expression: ');
      return false;
    }
  }

  /** The delay for an object in milliseconds; undefined if it has none, which is reported. */
  delayMs(variables: StageVariables, random: () => number): number | undefined {
    return this.#attempt(() => stageDelayMs(this.stage, variables, newBudget(), random));
  }

  /** The next state of an object; undefined if it has none, which is reported. */
  nextState(variables: StageVariables): NextState | undefined {
    return this.#attempt(() => {
      const { status, annotations, event, ...rest } = this.stage.next;
      const budget = newBudget();
      const made = (template: Template | undefined): JsonValue | undefined => template?.(variables, budget);
      return {
        ...rest,
        status: objectOf(made(status)),
        annotations: textsOf(made(annotations)),
        event: eventOf(made(event)),
      };
    });
  }

  /** Notes that the next state was applied to an object. */
  succeeded(): void {
    this.#failed = 0;
  }

  /** Notes that the next state could not be applied to an object. */
  failed(message: string): void {
    this.warn('StageFailed', message);
    if (++this.#failed >= failureLimit) this.#switchOff(message);
  }

  /** Reports a problem, if it is a new one. */
  warn(reason: string, message: string): void {
    if (this.#reported.has(message) || this.#reported.size >= warningLimit) return;
    this.#reported.add(message);
    this.#warn(reason, message);
  }

  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof ExpressionError) this.failed(error.message);
      else this.#noteError(error, '');
      return undefined;
    }
  }

  #noteError(error: unknown, place: string): void {
    if (error instanceof CostExceeded) {
      const message = `${place}evaluation costs too much`;
      this.warn('StageProblem', message);
      if (++this.#exceeded >= failureLimit) this.#switchOff(message);
    } else if (error instanceof ExpressionError) {
      this.#exceeded = 0;
      this.warn('StageProblem', `${place}${error.message}`);
    } else throw error;
  }

  #switchOff(cause: string): void {
    if (this.#isOff) return;
    this.#isOff = true;
    const message = `the stage is switched off until it is changed, after ${failureLimit} failures: ${cause}`;
    this.#warn('StageSwitchedOff', message);
  }
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** Values of annotations are texts. */
function textsOf(value: JsonValue | undefined): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, textOf(each)]));
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function eventOf(value: JsonValue | undefined): NextState['event'] {
  if (!isJsonObject(value)) return undefined;
  const { type, reason = '', message = '' } = value;
  return {
    type: type === 'Warning' ? 'Warning' : 'Normal',
    reason: textOf(reason).slice(0, longestReason),
    message: textOf(message).slice(0, longestMessage),
  };
}
