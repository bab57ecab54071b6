import type { ControllerDefinition } from '../controller-definition.ts';
import { endpointsController } from '../endpoints/definition.ts';
import { endpointSliceMirroring } from '../endpointslicemirroring/definition.ts';
import { endpointSliceController } from '../endpointslices/definition.ts';

/** The controllers of the pods behind Services. */
export const serviceControllers: readonly ControllerDefinition[] = [
  endpointsController,
  endpointSliceController,
  endpointSliceMirroring,
];
