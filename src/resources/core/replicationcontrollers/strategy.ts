import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, required, invalid } from '../../../status/field-error.ts';
import {
  isSet,
  makeObjectAt,
  numberAt,
  objectAt,
  setDefault,
  stringAt,
  stringEntriesAt,
} from '../../../meta/read-field.ts';
import { labelsOf } from '../../rules/fields/labels.ts';
import { checkLastingTemplate, checkReplicaStatus } from '../../rules/workloads/workload.ts';
import { defaultTemplate } from '../pods/default.ts';
import { scaleOf } from '../../rules/workloads/scale.ts';
import { formatLabels } from '../../rules/fields/selector.ts';

/** The strategy of replication controllers. Their selector is a map of labels. */
export const strategy: Strategy = {
  templatePath: ['spec', 'template'],
  default: defaultReplicationController,
  validate: validateReplicationController,
  // Replication controllers are older than the garbage collector, so their dependents are orphaned
  // by default.
  dependents: () => 'orphan',
  subresources: {
    scale: scaleOf((spec) => formatLabels(objectAt(spec, 'selector')), {
      group: 'autoscaling',
      resource: 'replicationcontrollers/scale',
    }),
    status: { default: labelAsPods, validateUpdate: checkReplicaStatus },
  },
  selectableFields: ['status.replicas'],
  fieldsOf: (controller) => ({
    'status.replicas': String(numberAt(objectAt(controller, 'status'), 'replicas') ?? 0),
  }),
};

/**
 * Fills in defaults. The selector and the labels of the controller default to the labels of the
 * template. Mutates.
 */
function defaultReplicationController(controller: JsonObject): void {
  defaultTemplate(controller);
  const spec = makeObjectAt(controller, 'spec');
  setDefault(spec, 'replicas', 1);
  const labels = labelsOf(objectAt(spec, 'template'));
  if (Object.keys(labels).length === 0) return;
  if (stringEntriesAt(spec, 'selector').length === 0) spec['selector'] = structuredClone(labels);
  labelAsPods(controller);
}

function labelAsPods(controller: JsonObject): void {
  const labels = labelsOf(objectAt(controller, 'spec', 'template'));
  const metadata = makeObjectAt(controller, 'metadata');
  if (Object.keys(labels).length === 0 || stringEntriesAt(metadata, 'labels').length > 0) return;
  metadata['labels'] = structuredClone(labels);
}

function validateReplicationController(controller: JsonObject): FieldError[] {
  const spec = objectAt(controller, 'spec');
  return [
    ...selectorErrors(spec),
    ...(isSet(spec, 'template')
      ? [...selectedErrors(spec), ...checkLastingTemplate(spec, 'ReplicationController')]
      : [required('spec.template')]),
  ];
}

function selectorErrors(spec: JsonObject): FieldError[] {
  return stringEntriesAt(spec, 'selector').length === 0 ? [required('spec.selector')] : [];
}

/** Checks that the selector matches the labels of the template. */
function selectedErrors(spec: JsonObject): FieldError[] {
  const labels = labelsOf(objectAt(spec, 'template'));
  const matches = stringEntriesAt(spec, 'selector').every(
    ([key, value]) => getOwn(labels, key) !== undefined && stringAt(labels, key) === value,
  );
  const field = 'spec.template.metadata.labels';
  return matches ? [] : [invalid(field, labels, '`selector` does not match template `labels`')];
}
