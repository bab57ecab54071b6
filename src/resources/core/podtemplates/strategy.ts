import type { Strategy } from '../../../registry/strategy.ts';
import { makeObjectAt, objectAt } from '../../../meta/read-field.ts';
import { checkPodTemplate } from '../../rules/workloads/pod-template.ts';
import { defaultPodTemplate } from '../pods/default.ts';

/** The strategy of pod templates. */
export const strategy: Strategy = {
  templatePath: ['template'],
  returnsDeletedObject: true,
  default: (podTemplate) => defaultPodTemplate(makeObjectAt(podTemplate, 'template')),
  validate: (podTemplate) => checkPodTemplate('template', objectAt(podTemplate, 'template')),
};
