import type { ListFeatures } from '../api/request/list-features.ts';
import { featuresOf } from '../config/feature-gates.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { isSince } from '../scheme/api-release.ts';

/** The first release with a gate for `sendInitialEvents`. */
const firstWithWatchListGate = '1.27';

const firstWithSubresourceTables = '1.24';

/** The features of the protocol that depend on gates and the release. */
interface ProtocolFeatures {
  readonly listFeatures: ListFeatures;
  readonly cbor: boolean;
}

/** Returns the features of the protocol for the options. */
export function protocolFeatures(
  options: Pick<ServerOptions, 'emulatedRelease' | 'emulationForwardCompatible' | 'featureGates'>,
): ProtocolFeatures {
  const { isEnabled } = featuresOf(options);
  const isGated = isSince(options.emulatedRelease, firstWithWatchListGate);
  const watchLists = isEnabled('WatchList') ? 'enabled' : 'disabled';
  return {
    listFeatures: {
      chunking: isEnabled('APIListChunking'),
      watchLists: isGated ? watchLists : 'ungated',
      shards: isEnabled('ShardedListAndWatch'),
      subresourceTables: isSince(options.emulatedRelease, firstWithSubresourceTables),
    },
    cbor: isEnabled('CBORServingAndStorage'),
  };
}
