import { type IdentifierSet, identifierSets, identifiersOf } from '../identifiers/identifiers.ts';

/** The value of `--storage-media-type` for JSON. */
export const jsonMediaType = 'application/json';

/** The identifiers of a store that kube-apiserver shares. */
export const upstreamIdentifiers: IdentifierSet | undefined = identifierSets.at(-1);

/** The values of `--storage-media-type`: the forms of objects in a store of kube-apiserver. */
export const storageMediaTypes: readonly string[] = [
  jsonMediaType,
  ...(upstreamIdentifiers ? [identifiersOf(upstreamIdentifiers).protobufMediaType] : []),
];
