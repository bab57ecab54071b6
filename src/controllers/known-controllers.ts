import type { ControllerDefinition } from './controller-definition.ts';
import { namespaceController } from './namespace/definition.ts';
import { serviceAccountController } from './serviceaccount/definition.ts';

/** All controllers, by name. */
export const knownControllers: readonly ControllerDefinition[] = [namespaceController, serviceAccountController];
