import type { Strategy } from '../../../registry/strategy.ts';
import { validateCsiNode, validateCsiNodeUpdate } from './validate.ts';

/** What CSI drivers know of nodes. */
export const strategy: Strategy = {
  validate: validateCsiNode,
  validateUpdate: validateCsiNodeUpdate,
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
};
