import type { CSINode } from '../../../gen/stored/storage-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { validateCsiNode, validateCsiNodeUpdate } from './validate.ts';

/** The strategy of CSI nodes. Each lists the CSI drivers of a node. */
export const strategy: Strategy<CSINode> = {
  validate: validateCsiNode,
  validateUpdate: validateCsiNodeUpdate,
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
};
