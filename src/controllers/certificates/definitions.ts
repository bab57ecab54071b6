import type { ControllerDefinition } from '../controller-definition.ts';
import { approvingController } from './approving-controller.ts';
import { cleaningController } from './cleaning-controller.ts';
import { signingController } from './signing-controller.ts';

/** The controllers of CertificateSigningRequests. */
export const certificateControllers: readonly ControllerDefinition[] = [
  approvingController,
  signingController,
  cleaningController,
];
