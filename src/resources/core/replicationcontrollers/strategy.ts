import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, required, invalidShown } from '../../../status/field-error.ts';
import { goStringMap } from '../../../status/go-syntax.ts';
import {
  isSet,
  makeObjectAt,
  numberAt,
  objectAt,
  setDefault,
  stringAt,
  stringEntriesAt,
} from '../../../meta/read-field.ts';
import { checkLabels, labelsOf } from '../../rules/labels.ts';
import { checkNoDeadline, checkPodTemplate, checkRestartPolicy } from '../../rules/pod-template.ts';
import { checkCounts } from '../../rules/workload.ts';
import { defaultTemplate } from '../pods/default.ts';
import { scaleOf } from '../../rules/scale.ts';
import { formatLabels } from '../../rules/selector.ts';

/** Replication controllers. Their selector is a plain map of labels. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'replicationcontrollers',
  strategy: {
    default: defaultReplicationController,
    validate: validateReplicationController,
    // As it was before there was a collector.
    dependents: () => 'orphan',
    subresources: { scale: scaleOf((spec) => formatLabels(objectAt(spec, 'selector'))) },
    selectableFields: ['status.replicas'],
    fieldsOf: (controller) => ({
      'status.replicas': String(numberAt(objectAt(controller, 'status'), 'replicas') ?? 0),
    }),
  },
};

/** Selector and labels are those of the template where the client gives none. */
function defaultReplicationController(controller: JsonObject): void {
  defaultTemplate(controller);
  const spec = makeObjectAt(controller, 'spec');
  setDefault(spec, 'replicas', 1);
  const labels = labelsOf(objectAt(spec, 'template'));
  if (Object.keys(labels).length === 0) return;
  if (stringEntriesAt(spec, 'selector').length === 0) spec['selector'] = structuredClone(labels);
  const metadata = makeObjectAt(controller, 'metadata');
  if (stringEntriesAt(metadata, 'labels').length === 0) metadata['labels'] = structuredClone(labels);
}

function validateReplicationController(controller: JsonObject): FieldError[] {
  const spec = objectAt(controller, 'spec');
  const template = objectAt(spec, 'template');
  const counts = checkCounts('spec', spec, ['minReadySeconds', 'replicas']);
  if (!isSet(spec, 'template')) return [...counts, ...selectorErrors(spec), required('spec.template')];
  return [
    ...counts,
    ...selectorErrors(spec),
    ...checkPodTemplate('spec.template', template),
    ...checkRestartPolicy('spec.template', template, ['Always']),
    ...checkNoDeadline('spec.template', template, 'ReplicationController'),
  ];
}

function selectorErrors(spec: JsonObject): FieldError[] {
  const selector = stringEntriesAt(spec, 'selector');
  if (selector.length === 0) return [required('spec.selector')];
  const errors = checkLabels('spec.selector', spec, 'selector');
  if (errors.length > 0) return errors;
  const labels = labelsOf(objectAt(spec, 'template'));
  const matches = selector.every(
    ([key, value]) => getOwn(labels, key) !== undefined && stringAt(labels, key) === value,
  );
  return matches
    ? []
    : [
        invalidShown(
          'spec.template.metadata.labels',
          goStringMap(labels),
          '`selector` does not match template `labels`',
        ),
      ];
}
