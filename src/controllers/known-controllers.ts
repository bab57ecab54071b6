import type { ControllerDefinition } from './controller-definition.ts';
import { garbageCollector } from './garbage-collector/definition.ts';
import { namespaceController } from './namespace/definition.ts';
import { rootCaPublisher } from './root-ca/definition.ts';
import { serviceAccountController } from './serviceaccount/definition.ts';

/** All controllers, by name. */
export const knownControllers: readonly ControllerDefinition[] = [
  garbageCollector,
  namespaceController,
  rootCaPublisher,
  serviceAccountController,
];
