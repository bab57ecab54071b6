import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { makeObjectAt, objectAt } from '../../../meta/read-field.ts';
import { checkPodTemplate } from '../../rules/pod-template.ts';
import { defaultPodSpec } from '../pods/default.ts';

/** Pod templates. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'podtemplates',
  strategy: {
    returnsDeletedObject: true,
    default: (podTemplate) => defaultPodSpec(makeObjectAt(makeObjectAt(podTemplate, 'template'), 'spec')),
    validate: (podTemplate) => checkPodTemplate('template', objectAt(podTemplate, 'template')),
  },
};
