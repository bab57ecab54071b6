import type { PodTemplateSpec } from '../../../gen/stored/core-v1.ts';
import type { LabelSelector, ObjectMeta } from '../../../gen/stored/meta-v1.ts';
import { typedConversion } from '../../built-in.ts';

/** A workload. Its selector may be missing in the old versions. */
type Workload<Fields = unknown> = {
  metadata: ObjectMeta;
  spec: { selector?: LabelSelector; template: PodTemplateSpec } & Fields;
};

type OldDeployment = Workload<{ rollbackTo?: { revision?: number | bigint } }>;
type OldDaemonSet = Workload<{ templateGeneration?: number | bigint }>;

/**
 * The conversion of workloads in `extensions/v1beta1` and `apps/v1beta1` (spec 9.3). The labels of
 * the template replace a missing selector and missing labels.
 */
export const oldWorkload = typedConversion<Workload, Workload>({
  toStorage: withTemplateLabels,
  fromStorage: (workload) => workload,
});

/** The annotation in which v1 keeps `spec.rollbackTo` of Deployments. */
export const rollbackRevision = 'deprecated.deployment.rollback.to';

/** The annotation in which v1 keeps `spec.templateGeneration` of DaemonSets. */
export const templateGeneration = 'deprecated.daemonset.template.generation';

/** The conversion of Deployments: v1 keeps `spec.rollbackTo` in an annotation. */
export const oldDeployment = typedConversion<OldDeployment, Workload>({
  toStorage: (deployment) => {
    const { rollbackTo, ...spec } = deployment.spec;
    const metadata = withAnnotation(deployment.metadata, rollbackRevision, rollbackTo && (rollbackTo.revision ?? 0));
    return withTemplateLabels({ ...deployment, metadata, spec });
  },
  fromStorage: (deployment) => {
    const [revision, metadata] = takeNumber(deployment.metadata, rollbackRevision);
    if (revision === undefined) return deployment;
    return { ...deployment, metadata, spec: { ...deployment.spec, rollbackTo: { revision } } };
  },
});

/** The conversion of DaemonSets: v1 keeps `spec.templateGeneration` in an annotation. */
export const oldDaemonSet = typedConversion<OldDaemonSet, Workload>({
  toStorage: (daemonSet) => {
    const { templateGeneration: generation, ...spec } = daemonSet.spec;
    const metadata = withAnnotation(daemonSet.metadata, templateGeneration, generation);
    return withTemplateLabels({ ...daemonSet, metadata, spec });
  },
  fromStorage: (daemonSet) => {
    const [generation, metadata] = takeNumber(daemonSet.metadata, templateGeneration);
    if (generation === undefined) return daemonSet;
    return { ...daemonSet, metadata, spec: { ...daemonSet.spec, templateGeneration: generation } };
  },
});

function withTemplateLabels(workload: Workload): Workload {
  const { metadata, spec } = workload;
  const { labels } = spec.template.metadata;
  if (!labels) return workload;
  return {
    ...workload,
    metadata: metadata.labels ? metadata : { ...metadata, labels },
    spec: spec.selector ? spec : { ...spec, selector: { matchLabels: labels } },
  };
}

function withAnnotation(metadata: ObjectMeta, name: string, value: number | bigint | undefined): ObjectMeta {
  if (value === undefined) return metadata;
  return { ...metadata, annotations: { ...metadata.annotations, [name]: String(value) } };
}

/**
 * Takes a 64-bit number out of an annotation. Without one the metadata stays as it is.
 */
function takeNumber(metadata: ObjectMeta, name: string): readonly [number | bigint | undefined, ObjectMeta] {
  const { annotations = {}, ...rest } = metadata;
  const { [name]: text = '', ...others } = annotations;
  if (!/^-?[0-9]{1,19}$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) return [undefined, metadata];
  const number = Number(text);
  return [
    Number.isSafeInteger(number) ? number : BigInt(text),
    Object.keys(others).length === 0 ? rest : { ...rest, annotations: others },
  ];
}
