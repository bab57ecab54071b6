import type { Job, JobSpec } from '../../../gen/stored/batch-v1.ts';
import type { Affinity, Container, PodTemplateSpec } from '../../../gen/stored/core-v1.ts';
import type { JsonValue } from '../../../meta/json-value.ts';
import { sameValue } from '../../../meta/read-field.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';

const sameTemplate = sameMessage('api.core.v1.PodTemplateSpec');

/** Compares completion modes. Jobs stored by releases without the mode lack its default. */
function sameMode(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return (one ?? 'NonIndexed') === (other ?? 'NonIndexed');
}

/**
 * The immutable fields of the spec, with their comparison; template and completions are separate.
 */
const fixed = [
  ['selector', sameMessage('api.meta.v1.LabelSelector')],
  ['completionMode', sameMode],
  ['podFailurePolicy', sameMessage('api.batch.v1.PodFailurePolicy')],
  ['backoffLimitPerIndex', sameValue],
  ['managedBy', sameValue],
  ['successPolicy', sameMessage('api.batch.v1.SuccessPolicy')],
] as const;

/** The errors of an update: changes of immutable fields. */
export function validateJobUpdate(job: Job, old: Job, { emulated }: StrategyContext): readonly FieldError[] {
  return [
    ...completionsErrors(job.spec, old.spec, emulated),
    ...fixed.flatMap(([name, same]) => checkImmutable(`spec.${name}`, job.spec[name], old.spec[name], same)),
    ...checkImmutable('spec.template', job.spec.template, mutableTemplate(job, old, emulated), sameTemplate),
  ];
}

/** Checks a change of completions: an elastic indexed Job may change them with its parallelism. */
function completionsErrors(spec: JobSpec, old: JobSpec, { release, isFeatureEnabled }: EmulatedRelease): FieldError[] {
  const { completions, parallelism } = spec;
  const isElastic =
    spec.completionMode === 'Indexed' && isSince(release, '1.27') && isFeatureEnabled('ElasticIndexedJob');
  if (!isElastic) return checkImmutable('spec.completions', completions, old.completions);
  if (completions === undefined || completions === old.completions || completions === parallelism) return [];
  return [invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism')];
}

/**
 * The old template with the parts that may change. Scheduling fields may change while a Job is
 * suspended and has not started. Later releases allow it whenever a suspended Job has no running
 * pods, and also allow resources to change.
 */
function mutableTemplate({ spec: { template } }: Job, old: Job, emulated: EmulatedRelease): PodTemplateSpec {
  const { release, isFeatureEnabled } = emulated;
  if (!isSince(release, '1.27') || !old.spec.suspend) return old.spec.template;
  const rests = isSuspended(old) && isSince(release, '1.35');
  const mayMove =
    old.status.startTime === undefined || (rests && isFeatureEnabled('MutableSchedulingDirectivesForSuspendedJobs'));
  const mayResize = rests && isFeatureEnabled('MutablePodResourcesForSuspendedJobs');
  const moved = mayMove ? withDirectives(old.spec.template, template) : old.spec.template;
  return mayResize ? withResources(moved, template) : moved;
}

/** True if the controller has stopped the pods of a suspended Job. */
function isSuspended({ status: { conditions = [], active = 0 } }: Job): boolean {
  return active === 0 && conditions.some(({ type, status }) => type === 'Suspended' && status === 'True');
}

const directives = ['nodeSelector', 'tolerations', 'schedulingGates'] as const;

function withDirectives(template: PodTemplateSpec, written: PodTemplateSpec): PodTemplateSpec {
  const { labels: _labels, annotations: _annotations, ...metadata } = template.metadata;
  const {
    nodeSelector: _selector,
    tolerations: _tolerations,
    schedulingGates: _gates,
    affinity,
    ...spec
  } = template.spec;
  const kept = affinityFor(affinity, written.spec.affinity);
  return {
    ...template,
    metadata: { ...metadata, ...pick(written.metadata, ['labels', 'annotations']) },
    spec: { ...spec, ...pick(written.spec, directives), ...(kept ? { affinity: kept } : {}) },
  };
}

/** The old affinity with the new node affinity. */
function affinityFor(affinity: Affinity | undefined, written: Affinity | undefined): Affinity | undefined {
  if (!affinity) return written && pick(written, ['nodeAffinity']);
  const { nodeAffinity: _nodeAffinity, ...others } = affinity;
  if (!written && Object.keys(others).length === 0) return undefined;
  return { ...others, ...(written ? pick(written, ['nodeAffinity']) : {}) };
}

function pick<T extends object, Name extends keyof T>(object: T, names: readonly Name[]): Partial<Pick<T, Name>> {
  return Object.fromEntries(
    names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]),
  ) as Partial<Pick<T, Name>>;
}

type Containers = readonly Container[] | null | undefined;

function resourcesFrom(list: Containers, other: Containers): Container[] | undefined {
  return list?.map((container, index) => ({
    ...container,
    resources: other?.[index]?.resources ?? container.resources,
  }));
}

function withResources(template: PodTemplateSpec, written: PodTemplateSpec): PodTemplateSpec {
  const { containers, initContainers, ...spec } = template.spec;
  const init = resourcesFrom(initContainers, written.spec.initContainers);
  return {
    ...template,
    spec: {
      ...spec,
      containers: resourcesFrom(containers, written.spec.containers) ?? null,
      ...(init ? { initContainers: init } : {}),
    },
  };
}
