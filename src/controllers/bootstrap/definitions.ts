import type { ControllerDefinition } from '../controller-definition.ts';
import { bootstrapSigner } from './bootstrap-signer.ts';
import { tokenCleaner } from './token-cleaner.ts';

/** The controllers of bootstrap tokens. */
export const bootstrapControllers: readonly ControllerDefinition[] = [bootstrapSigner, tokenCleaner];
