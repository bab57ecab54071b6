import { getOwn, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { isSet, objectAt } from '../../../meta/read-field.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';

/**
 * The conversion of workloads in `extensions/v1beta1` and `apps/v1beta1` (spec 9.3). Their selector
 * and their labels are those of the template if they have none.
 */
export const oldWorkload: Conversion = { toStorage: withTemplateLabels, fromStorage: (workload) => workload };

/** The annotation in which v1 keeps `spec.rollbackTo` of Deployments. */
export const rollbackRevision = 'deprecated.deployment.rollback.to';

/** The annotation in which v1 keeps `spec.templateGeneration` of DaemonSets. */
export const templateGeneration = 'deprecated.daemonset.template.generation';

/** The conversion of Deployments: v1 keeps `spec.rollbackTo` in an annotation. */
export const oldDeployment: Conversion = {
  toStorage: (deployment) => {
    const { rollbackTo, ...spec } = objectAt(deployment, 'spec');
    const isGiven = rollbackTo !== undefined && rollbackTo !== null;
    const revision = isGiven ? (getOwn(objectAt({ rollbackTo }, 'rollbackTo'), 'revision') ?? 0) : undefined;
    return withTemplateLabels(withAnnotation({ ...deployment, spec }, rollbackRevision, revision));
  },
  fromStorage: (deployment) => {
    const [revision, rest] = takeNumber(deployment, rollbackRevision);
    if (revision === undefined) return deployment;
    return { ...rest, spec: { ...objectAt(rest, 'spec'), rollbackTo: { revision } } };
  },
};

/** The conversion of DaemonSets: v1 keeps `spec.templateGeneration` in an annotation. */
export const oldDaemonSet: Conversion = {
  toStorage: (daemonSet) => {
    const { templateGeneration: generation, ...spec } = objectAt(daemonSet, 'spec');
    return withTemplateLabels(withAnnotation({ ...daemonSet, spec }, templateGeneration, generation));
  },
  fromStorage: (daemonSet) => {
    const [generation, rest] = takeNumber(daemonSet, templateGeneration);
    if (generation === undefined) return daemonSet;
    return { ...rest, spec: { ...objectAt(rest, 'spec'), templateGeneration: generation } };
  },
};

function withTemplateLabels(workload: JsonObject): JsonObject {
  const spec = objectAt(workload, 'spec');
  const labels = getOwn(objectAt(spec, 'template', 'metadata'), 'labels');
  if (labels === undefined || labels === null) return workload;
  const metadata = objectAt(workload, 'metadata');
  return {
    ...workload,
    ...(isSet(metadata, 'labels') ? {} : { metadata: { ...metadata, labels } }),
    ...(isSet(spec, 'selector') ? {} : { spec: { ...spec, selector: { matchLabels: labels } } }),
  };
}

function withAnnotation(object: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  if (typeof value !== 'number' && typeof value !== 'bigint') return object;
  const metadata = objectAt(object, 'metadata');
  const annotations = { ...objectAt(metadata, 'annotations'), [name]: String(value) };
  return { ...object, metadata: { ...metadata, annotations } };
}

/**
 * Takes a 64-bit number out of an annotation. Without one the object stays as it is.
 */
function takeNumber(object: JsonObject, name: string): readonly [JsonValue | undefined, JsonObject] {
  const metadata = objectAt(object, 'metadata');
  const { [name]: text, ...others } = objectAt(metadata, 'annotations');
  if (typeof text !== 'string' || !/^-?[0-9]{1,19}$/.test(text)) return [undefined, object];
  if (BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) return [undefined, object];
  const { annotations: _, ...rest } = metadata;
  const kept = Object.keys(others).length === 0 ? rest : { ...rest, annotations: others };
  const number = Number(text);
  return [Number.isSafeInteger(number) ? number : BigInt(text), { ...object, metadata: kept }];
}
