import type { Strategy } from '../../../registry/strategy.ts';
import { validateIngressStatus } from './status.ts';
import { validateIngress, validateIngressClassChoice } from './validate.ts';

/** Ingresses (spec 2.3, 4.3). */
export const strategy: Strategy = {
  validate: validateIngress,
  toldByRules: /^spec\.(?:defaultBackend|rules\[\d+\]\.http\.paths\[\d+\]\.backend)\b/,
  validateCreate: (ingress, { identifiers }) => validateIngressClassChoice(ingress, identifiers),
  subresources: { status: { validateUpdate: validateIngressStatus } },
};
