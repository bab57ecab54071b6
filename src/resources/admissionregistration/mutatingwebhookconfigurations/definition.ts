import type { MutatingWebhookConfiguration } from '../../../gen/stored/admissionregistration-v1.ts';
import { builtIn } from '../../built-in.ts';
import { webhookConfiguration, webhookConfigurationStrategy } from '../../rules/webhooks/webhook-configuration.ts';

/** The resource `mutatingwebhookconfigurations` of the group `admissionregistration`. */
export const mutatingWebhookConfigurations = builtIn<MutatingWebhookConfiguration>({
  group: 'admissionregistration',
  resource: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
  versions: {
    v1: { introduced: '1.16' },
    v1beta1: { introduced: '1.9', deprecated: { since: '1.16', removed: '1.22', replacement: 'v1' } },
  },
  categories: ['api-extensions'],
  columns: webhookConfiguration,
  strategy: webhookConfigurationStrategy,
});
