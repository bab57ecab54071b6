import type { Strategy } from '../../../registry/strategy.ts';
import { validateCsiNode, validateCsiNodeUpdate } from './validate.ts';

/** The strategy of CSI nodes. Each lists the CSI drivers of a node. */
export const strategy: Strategy = {
  validate: validateCsiNode,
  validateUpdate: validateCsiNodeUpdate,
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
};
