import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { webhookConfigurationStrategy } from '../../rules/webhook-configuration.ts';

/** Mutating webhook configurations. */
export const definition: ResourceDefinition = {
  group: 'admissionregistration',
  resource: 'mutatingwebhookconfigurations',
  strategy: webhookConfigurationStrategy,
};
