import { ExpressionError } from '../../cel/values/expression.ts';
import { CostExceeded } from '../../cel/values/work-meter.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import type { CompiledStage } from './compile-stage.ts';
import { stageDelayMs } from './stage-delay.ts';
import { StageFailures } from './stage-failures.ts';
import { newBudget, type StageVariables } from './stage-expression.ts';
import type { Template } from './stage-template.ts';

/** Reports a problem of a stage: a word for programs, and a sentence. */
type WarnOfStage = (reason: string, message: string) => void;

/** An object as far as selectors read it. */
export interface SelectableObject {
  readonly metadata: {
    readonly namespace?: string | undefined;
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

/** The longest texts of Events. */
const longestReason = 128;
const longestMessage = 1024;

/** Different problems of a stage that are reported. */
const warningLimit = 10;

/**
 * A stage in use. Its problems are reported once each. A stage whose expressions exceed their cost
 * limit, or whose next state fails, for several objects of a namespace one after the other is
 * switched off there until it is changed.
 */
export class FollowedStage {
  readonly stage: CompiledStage;
  readonly #warn: WarnOfStage;
  readonly #reported = new Set<string>();
  readonly #exceeded = new StageFailures();
  readonly #failed = new StageFailures();

  constructor(stage: CompiledStage, warn: WarnOfStage) {
    this.stage = stage;
    this.#warn = warn;
  }

  get weight(): number {
    return this.stage.weight;
  }

  /** False once the stage is switched off for the objects of a namespace; '' for nodes. */
  isActiveIn(namespace: string): boolean {
    return !this.#exceeded.isOff(namespace) && !this.#failed.isOff(namespace);
  }

  /** True if the selector matches an object. The variables are made only if they are needed. */
  matches({ metadata }: SelectableObject, variables: () => StageVariables): boolean {
    const { isTerminating, matchesLabels, annotations, condition } = this.stage;
    const { namespace = '' } = metadata;
    if (!this.isActiveIn(namespace) || isTerminating !== (metadata.deletionTimestamp !== undefined)) return false;
    if (!matchesLabels(metadata.labels ?? {})) return false;
    const present = metadata.annotations ?? {};
    if (annotations.some(([name, value]) => getOwn(present, name) !== value)) return false;
    if (!condition) return true;
    try {
      const value = condition.evaluate(variables(), newBudget());
      this.#exceeded.clear(namespace);
      if (typeof value !== 'boolean')
        this.warn('StageProblem', 'spec.selector.expression: the value is not true or false');
      return value === true;
    } catch (error) {
      this.#noteError(error, namespace, 'spec.selector.expression: ');
      return false;
    }
  }

  /** The delay for an object in milliseconds; undefined if it has none, which is reported. */
  delayMs(variables: StageVariables, random: () => number): number | undefined {
    return this.#attempt(variables, () => stageDelayMs(this.stage, variables, newBudget(), random));
  }

  /** The next state of an object; undefined if it has none, which is reported. */
  nextState(variables: StageVariables): NextState | undefined {
    return this.#attempt(variables, () => {
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
  succeeded(namespace: string): void {
    this.#failed.clear(namespace);
  }

  /** Notes that the next state could not be applied to an object. */
  failed(namespace: string, message: string): void {
    this.warn('StageFailed', message);
    this.#warnOfEnd(this.#failed.add(namespace), message);
  }

  /** Reports a problem, if it is a new one. */
  warn(reason: string, message: string): void {
    if (this.#reported.has(message) || this.#reported.size >= warningLimit) return;
    this.#reported.add(message);
    this.#warn(reason, message);
  }

  #attempt<T>({ object }: StageVariables, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      const namespace = stringAt(objectAt(object, 'metadata'), 'namespace');
      if (error instanceof ExpressionError) this.failed(namespace, error.message);
      else this.#noteError(error, namespace, '');
      return undefined;
    }
  }

  #noteError(error: unknown, namespace: string, place: string): void {
    if (error instanceof CostExceeded) {
      const message = `${place}evaluation costs too much`;
      this.warn('StageProblem', message);
      this.#warnOfEnd(this.#exceeded.add(namespace), message);
    } else if (error instanceof ExpressionError) {
      this.#exceeded.clear(namespace);
      this.warn('StageProblem', `${place}${error.message}`);
    } else throw error;
  }

  #warnOfEnd(sentence: string | undefined, cause: string): void {
    if (sentence !== undefined) this.#warn('StageSwitchedOff', `${sentence}: ${cause}`);
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
