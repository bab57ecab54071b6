import type { ReplicationController, ReplicationControllerSpec } from '../../../gen/stored/core-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { formatLabels } from '../../rules/fields/selector.ts';
import { scaleOf } from '../../rules/workloads/scale-of.ts';
import { checkLastingTemplate, checkReplicaStatus } from '../../rules/workloads/check-selector.ts';
import { defaultPodTemplate } from '../pods/default.ts';
import { withOperatorsOfTemplate } from '../pods/number-operators.ts';

/** The strategy of replication controllers. Their selector is a map of labels. */
export const strategy: Strategy<ReplicationController> = {
  templatePath: ['spec', 'template'],
  default: defaultReplicationController,
  validate: validateReplicationController,
  // Replication controllers are older than the garbage collector, so their dependents are orphaned
  // by default.
  dependents: () => 'orphan',
  subresources: {
    scale: scaleOf(formatLabels, {
      group: 'autoscaling',
      resource: 'replicationcontrollers/scale',
    }),
    status: { default: labelAsPods, validateUpdate: checkReplicaStatus },
  },
  selectableFields: ['status.replicas'],
  fieldsOf: ({ status }) => ({ 'status.replicas': String(status.replicas) }),
};

/**
 * Fills in defaults. The selector and the labels of the controller default to the labels of the
 * template. Mutates.
 */
function defaultReplicationController(controller: ReplicationController, context: StrategyContext): void {
  const { spec } = controller;
  if (spec.template) defaultPodTemplate(spec.template, context);
  const labels = templateLabels(spec);
  if (!isEmpty(labels) && isEmpty(spec.selector)) spec.selector = { ...labels };
  labelAsPods(controller);
}

function labelAsPods({ metadata, spec }: ReplicationController): void {
  const labels = templateLabels(spec);
  if (!isEmpty(labels) && isEmpty(metadata.labels)) metadata.labels = { ...labels };
}

function templateLabels({ template }: ReplicationControllerSpec): Readonly<Record<string, string>> {
  return template?.metadata.labels ?? {};
}

function isEmpty(labels: Readonly<Record<string, string>> = {}): boolean {
  return Object.keys(labels).length === 0;
}

/** All errors of a replication controller. The selector must match the labels of the template. */
function validateReplicationController(
  controller: ReplicationController,
  context: StrategyContext,
  old?: ReplicationController,
): readonly FieldError[] {
  const emulated = withOperatorsOfTemplate(old, context.emulated);
  const spec = new FieldCursor(controller).at('spec');
  const { selector = {}, replicas } = spec.value;
  if (isEmpty(selector)) spec.at('selector').reportRequired();
  const template = spec.at('template');
  if (!template.isPresent()) return spec.errors;
  const labels = templateLabels(spec.value);
  if (!Object.entries(selector).every(([key, value]) => getOwn(labels, key) === value)) {
    template.at('metadata').at('labels').reportInvalid('`selector` does not match template `labels`', labels);
  }
  checkLastingTemplate(template, { kind: 'ReplicationController', isReplicated: replicas > 1, emulated });
  return spec.errors;
}
