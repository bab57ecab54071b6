import { builtInDefinitions } from '../catalogue/definitions.ts';
import { releasedVersions } from '../config/served-api.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { jsonMediaType } from '../config/flags/storage-media-types.ts';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { fieldsRelease } from '../scheme/emulated-release.ts';
import { type UpstreamKeys, upstreamKeys } from '../storage/layout/upstream-keys.ts';
import { upstreamStore } from '../storage/layout/upstream-store.ts';
import { upstreamValues } from '../storage/layout/upstream-values.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';

/** The key layout of kube-apiserver, if the store has it. */
export function storageKeys({ storageMediaType, prefix, identifiers }: ServerOptions): UpstreamKeys | undefined {
  if (storageMediaType === undefined) return undefined;
  const names = identifiersOf(identifiers);
  const builtIns = builtInDefinitions(names).flatMap(({ storage }) => storage ?? []);
  return upstreamKeys({ prefix, builtIns, apiDomain: names.apiDomain });
}

/** Presents a store with kube-apiserver's keys and values in the layout of this server. */
export function storeOfKeys(store: ObjectStore, keys: UpstreamKeys, options: ServerOptions): ObjectStore {
  const isBinary = options.storageMediaType !== jsonMediaType;
  const values = upstreamValues({
    identifiers: identifiersOf(options.identifiers),
    release: fieldsRelease(releasedVersions(options)),
    isJson: (key) => !isBinary || keys.isJson(key),
  });
  return upstreamStore(store, keys, values);
}
