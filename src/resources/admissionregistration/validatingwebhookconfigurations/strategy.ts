import type { Strategy } from '../../../registry/strategy.ts';
import { webhookConfigurationStrategy } from '../../rules/webhooks/webhook-configuration.ts';

/** The strategy of validating webhook configurations. */
export const strategy: Strategy = webhookConfigurationStrategy;
