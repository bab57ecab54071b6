import type { ValidatingWebhookConfiguration } from '../../../gen/stored/admissionregistration-v1.ts';
import { builtIn } from '../../built-in.ts';
import { webhookConfiguration } from '../../rules/webhooks/webhook-configuration.ts';

/** The resource `validatingwebhookconfigurations` of the group `admissionregistration`. */
export const validatingWebhookConfigurations = builtIn<ValidatingWebhookConfiguration>({
  group: 'admissionregistration',
  resource: 'validatingwebhookconfigurations',
  kind: 'ValidatingWebhookConfiguration',
  ...webhookConfiguration,
});
