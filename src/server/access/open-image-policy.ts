import { parseImagePolicyConfiguration } from '../../admission/plugins/image-policy-webhook/image-policy-configuration.ts';
import type { ReviewImages } from '../../admission/plugins/image-policy-webhook/image-policy-webhook.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { openWebhook } from './open-webhook.ts';
import type { ServerOptions } from '../../config/server-options.ts';

const plugin = 'ImagePolicyWebhook';

/**
 * Opens the backend of the plugin ImagePolicyWebhook until the server stops; undefined if the
 * plugin does not run. Rejects if its configuration or its client config file is unusable.
 */
export async function openImagePolicy(
  { admissionPlugins, admissionConfigurations, certificateReloadMs: reloadMs }: ServerOptions,
  dependencies: Pick<AccessDependencies, 'log' | 'signal'>,
): Promise<ReviewImages | undefined> {
  if (!admissionPlugins.enabled.includes(plugin)) return undefined;
  try {
    const { clientConfigFile, retryMs } = parseImagePolicyConfiguration(admissionConfigurations[plugin]);
    const what = `the admission plugin ${plugin}`;
    const webhook = await openWebhook({ what, clientConfigFile, retryMs, reloadMs }, dependencies);
    return (review, signal) => webhook.call(review, signal);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new RangeError(`the configuration of the admission plugin ${plugin}: ${problem}`, { cause });
  }
}
