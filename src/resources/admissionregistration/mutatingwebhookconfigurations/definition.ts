import type { MutatingWebhookConfiguration } from '../../../gen/stored/admissionregistration-v1.ts';
import { builtIn } from '../../built-in.ts';
import { webhookConfiguration } from '../../rules/webhooks/webhook-configuration.ts';

/** The resource `mutatingwebhookconfigurations` of the group `admissionregistration`. */
export const mutatingWebhookConfigurations = builtIn<MutatingWebhookConfiguration>({
  group: 'admissionregistration',
  resource: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
  ...webhookConfiguration,
});
