import type { Column } from '../../../codec/table-definition.ts';
import type { PodTemplate } from '../../../gen/stored/core-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { builtIn } from '../../built-in.ts';
import { nameColumn, textColumn, formatLabels } from '../../columns/column.ts';
import { templateContainers } from '../../columns/workload.ts';
import { checkPodTemplate } from '../../rules/workloads/check-pod-template.ts';
import { defaultPodTemplate } from '../pods/default.ts';
import { withOperatorsOf } from '../pods/number-operators.ts';

const columns: readonly Column<PodTemplate>[] = [
  nameColumn,
  textColumn('Containers', 'Names of the containers in the template.', (object) => templateContainers(object, 'name')),
  textColumn('Images', 'Images of the containers in the template.', (object) => templateContainers(object, 'image')),
  textColumn('Pod Labels', 'Labels of the pods made from the template.', ({ template }) =>
    formatLabels(template.metadata.labels),
  ),
];

const strategy: Strategy<PodTemplate> = {
  generation: true,
  templatePath: ['template'],
  returnsDeletedObject: true,
  default: ({ template }, context) => defaultPodTemplate(template, context),
  validate: (object, { emulated }, old) => {
    const cursor = new FieldCursor(object);
    checkPodTemplate(cursor.at('template'), withOperatorsOf(old?.template.spec, emulated));
    return cursor.errors;
  },
};

/** The resource `podtemplates` of the core group. */
export const podTemplates = builtIn<PodTemplate>({
  group: '',
  resource: 'podtemplates',
  kind: 'PodTemplate',
  namespaced: true,
  versions: { v1: {} },
  columns,
  strategy,
  earlierRules: { before: '1.27', hooks: { generation: false } },
});
