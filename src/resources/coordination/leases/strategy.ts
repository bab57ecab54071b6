import type { Lease } from '../../../gen/stored/coordination-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';

/**
 * The strategy of leases. An update needs a resourceVersion, so that a renewal cannot overwrite
 * another holder's.
 */
export const strategy: Strategy<Lease> = {
  plainFinalizers: true,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
};
