import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { webhookConfigurationStrategy } from '../../rules/webhook-configuration.ts';

/** Validating webhook configurations. */
export const definition: ResourceDefinition = {
  group: 'admissionregistration',
  resource: 'validatingwebhookconfigurations',
  strategy: webhookConfigurationStrategy,
};
