import type { Strategy } from '../../../registry/strategy.ts';
import { validateCsiNode, validateCsiNodeUpdate } from './validate.ts';

/** What CSI drivers know of nodes. */
export const strategy: Strategy = {
  metadataErrors: { kept: 0, whole: 2 },
  createErrors: 'twice',
  updateErrors: 'stateTwice',
  validate: validateCsiNode,
  validateUpdate: validateCsiNodeUpdate,
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
};
