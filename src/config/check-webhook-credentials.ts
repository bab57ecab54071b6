import { stringAt } from '../meta/read-field.ts';
import { checkClientConfig } from '../outbound/config/load-client-config.ts';
import type { ServerOptions } from './server-options.ts';

const plugins = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook'] as const;

/**
 * Checks the client config files with the credentials for webhooks, which are read again when a
 * webhook is called. Rejects with `RangeError` if a plugin that runs names a file that is unusable.
 */
export async function checkWebhookCredentials({
  admissionPlugins,
  admissionConfigurations,
}: Pick<ServerOptions, 'admissionPlugins' | 'admissionConfigurations'>): Promise<void> {
  for (const plugin of plugins) {
    const file = stringAt(admissionConfigurations[plugin] ?? {}, 'kubeConfigFile');
    if (file === '' || admissionPlugins.disabled.includes(plugin)) continue;
    await checkClientConfig(file).catch((cause: unknown) => {
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new RangeError(`the configuration of the admission plugin ${plugin}: ${problem}`, { cause });
    });
  }
}
