import type { Strategy } from '../../../registry/strategy.ts';
import { webhookConfigurationStrategy } from '../../rules/webhooks/webhook-configuration.ts';

/** The strategy of mutating webhook configurations. */
export const strategy: Strategy = webhookConfigurationStrategy;
