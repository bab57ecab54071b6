import { ExpressionError } from '../../cel/values/expression.ts';
import { identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import { parseDuration } from '../../meta/duration.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { Labels } from '../../meta/label-requirement.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import { validateDnsSubdomain } from '../../meta/validate-name.ts';
import { schemaProblems } from './check-schema.ts';
import { stageGroup, type StageNext, type StageSpec, stageVersion } from './stage.ts';
import { compileExpression, type StageExpression } from './stage-expression.ts';
import { stageSpecSchema } from './stage-schema.ts';
import { compileTemplate, type Template, type TemplateContext } from './stage-template.ts';

/** A stage that is ready for use. */
export interface CompiledStage {
  readonly name: string;
  readonly resource: StageSpec['resource'];
  readonly weight: number;
  readonly isTerminating: boolean;
  readonly matchesLabels: (labels: Labels) => boolean;
  readonly annotations: readonly (readonly [name: string, value: string])[];
  readonly condition: StageExpression | undefined;
  readonly delay: CompiledDelay;
  readonly next: CompiledNext;
}

/** A delay in milliseconds, and the expressions that replace its parts. */
interface CompiledDelay {
  readonly durationMs: number;
  readonly jitterMs: number;
  readonly durationFrom: StageExpression | undefined;
  readonly jitterFrom: StageExpression | undefined;
}

/** The next state of an object, whose texts are templates. */
interface CompiledNext extends Pick<StageNext, 'outcome' | 'finalizers' | 'delete'> {
  readonly status: Template | undefined;
  readonly annotations: Template | undefined;
  readonly event: Template | undefined;
}

/** The states that stand-in nodes know, by the resource of their objects. */
export type KnownOutcomes = Readonly<Record<StageSpec['resource'], ReadonlySet<string>>>;

/** A stage, or the reasons why it is none. */
type StageReading = { readonly stage: CompiledStage } | { readonly problems: readonly string[] };

const members: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status']);

/** The versions of stages in all sets of identifiers: a file may be written for either. */
const apiVersions = identifierSets.map((set) => `${stageGroup(identifiersOf(set))}/${stageVersion}`);

/**
 * Checks and compiles a stage of a caller, a file or the API. All problems are reported together,
 * each with its path.
 */
export function compileStage(value: unknown, outcomes: KnownOutcomes, path = ''): StageReading {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  // Its members are checked one by one.
  const object = value as JsonValue;
  if (!isJsonObject(object)) return { problems: [`${path}: use an object with metadata and spec`] };
  const unknown = Object.keys(object).filter((name) => !members.has(name));
  const problems = [
    ...unknown.map((name) => `${at(name)}: it is not known: use metadata, spec`),
    ...(object['apiVersion'] === undefined || apiVersions.some((each) => each === object['apiVersion'])
      ? []
      : [`${at('apiVersion')}: use ${apiVersions.join(' or ')}`]),
    ...(object['kind'] === undefined || object['kind'] === 'Stage' ? [] : [`${at('kind')}: use Stage`]),
    ...nameProblems(object['metadata'], at('metadata.name')),
    ...schemaProblems(object['spec'], stageSpecSchema, at('spec')),
  ];
  if (problems.length > 0) return { problems };
  // The schema has been checked.
  const spec = object['spec'] as unknown as StageSpec;
  const { name } = object['metadata'] as { readonly name: string };
  return compileSpec(name, spec, outcomes, at('spec'));
}

function nameProblems(metadata: JsonValue | undefined, path: string): readonly string[] {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  if (typeof name !== 'string') return [`${path}: it is missing`];
  return validateDnsSubdomain(name).map((problem) => `${path}: ${JSON.stringify(name)} is not valid: ${problem}`);
}

function compileSpec(name: string, spec: StageSpec, outcomes: KnownOutcomes, path: string): StageReading {
  const problems: string[] = [];
  const { resource, selector, weight = 1, delay = {} } = spec;
  const expression = (text: string | undefined, at: string, kinds: readonly string[]): StageExpression | undefined => {
    try {
      return text === undefined ? undefined : compileExpression(text, kinds);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      problems.push(`${path}.${at}: ${error.message}`);
      return undefined;
    }
  };
  const stage: CompiledStage = {
    name,
    resource,
    weight,
    isTerminating: selector.terminating ?? false,
    matchesLabels: compileLabels(selector, `${path}.selector`, problems),
    annotations: Object.entries(selector.matchAnnotations ?? {}),
    condition: expression(selector.expression, 'selector.expression', ['bool']),
    delay: {
      durationMs: millisecondsOf(delay.duration),
      jitterMs: millisecondsOf(delay.jitterDuration),
      durationFrom: expression(delay.durationFrom, 'delay.durationFrom', durationKinds),
      jitterFrom: expression(delay.jitterDurationFrom, 'delay.jitterDurationFrom', durationKinds),
    },
    next: compileNext(spec, outcomes[resource], `${path}.next`, problems),
  };
  return problems.length > 0 ? { problems } : { stage };
}

const durationKinds: readonly string[] = ['string', 'duration', 'int', 'uint', 'double'];

/** Milliseconds of a duration that has been checked. */
function millisecondsOf(text = '0'): number {
  return Number(parseDuration(text) ?? 0n) / 1_000_000;
}

function compileLabels({ matchLabels, matchExpressions }: StageSpec['selector'], path: string, problems: string[]) {
  try {
    // Selectors are read as JSON.
    const selector = { ...(matchLabels && { matchLabels }), ...(matchExpressions && { matchExpressions }) };
    return matchLabelSelector(selector as unknown as JsonObject);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problems.push(`${path}: ${error.message}`);
    return () => false;
  }
}

function compileNext(
  { next }: StageSpec,
  outcomes: ReadonlySet<string>,
  path: string,
  problems: string[],
): CompiledNext {
  const { status, outcome, annotations, event, finalizers, delete: deletes } = next;
  if (status !== undefined && outcome !== undefined) problems.push(`${path}: use status or outcome, not both`);
  if (outcome !== undefined && !outcomes.has(outcome)) {
    problems.push(`${path}.outcome: ${JSON.stringify(outcome)} is not valid: use ${[...outcomes].join(', ')}`);
  }
  const context: TemplateContext = { path, problems, expressions: 0 };
  const template = (value: unknown, name: string): Template | undefined =>
    value === undefined ? undefined : compileTemplate(value as JsonValue, context, `${path}.${name}`);
  return {
    status: template(status, 'status'),
    annotations: template(annotations, 'annotations'),
    event: template(event, 'event'),
    ...(outcome === undefined ? {} : { outcome }),
    ...(finalizers ? { finalizers } : {}),
    ...(deletes === undefined ? {} : { delete: deletes }),
  };
}
