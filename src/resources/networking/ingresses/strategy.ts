import type { Strategy } from '../../../registry/definition/strategy.ts';
import { validateIngressStatus } from './status.ts';
import { validateIngress, validateIngressClassChoice } from './validate.ts';

/** The strategy of ingresses (spec 2.3, 4.3). */
export const strategy: Strategy = {
  validate: validateIngress,
  validateCreate: (ingress, { identifiers }) => validateIngressClassChoice(ingress, identifiers),
  subresources: { status: { validateUpdate: validateIngressStatus } },
};
