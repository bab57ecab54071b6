import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { ingressConversions } from './convert.ts';
import { validateIngressStatus } from './status.ts';
import { validateIngress, validateIngressClassChoice } from './validate.ts';

/** Ingresses (spec 2.3, 4.3). */
export const definition: ResourceDefinition = {
  group: 'networking',
  resource: 'ingresses',
  strategy: {
    validate: validateIngress,
    toldByRules: /^spec\.(?:defaultBackend|rules\[\d+\]\.http\.paths\[\d+\]\.backend)\b/,
    validateCreate: (ingress, { identifiers }) => validateIngressClassChoice(ingress, identifiers),
    subresources: { status: { validateUpdate: validateIngressStatus } },
  },
  conversions: ingressConversions,
};
