import { type IdentifierSet, identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';

/** The value of `--storage-media-type` for JSON. */
export const jsonMediaType = 'application/json';

/** The identifier set of a store that is shared with kube-apiserver. */
export const upstreamIdentifiers: IdentifierSet | undefined = identifierSets.at(-1);

/** The values of `--storage-media-type`, which are formats of kube-apiserver's stores. */
export const storageMediaTypes: readonly string[] = [
  jsonMediaType,
  ...(upstreamIdentifiers ? [identifiersOf(upstreamIdentifiers).protobufMediaType] : []),
];
