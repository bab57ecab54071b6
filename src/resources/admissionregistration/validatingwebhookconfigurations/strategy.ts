import type { Strategy } from '../../../registry/strategy.ts';
import { webhookConfigurationStrategy } from '../../rules/webhooks/webhook-configuration.ts';

/** Validating webhook configurations. */
export const strategy: Strategy = webhookConfigurationStrategy;
