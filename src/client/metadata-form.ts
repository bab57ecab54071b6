import { identifierSets, identifiersOf } from '../identifiers/identifiers.ts';

/**
 * The media types of objects reduced to their metadata, in both identifier sets, so that the client
 * need not know the server's.
 */
export const metadataAccept = acceptOf('PartialObjectMetadata');

/** The media types of lists of such objects. */
export const metadataListAccept = acceptOf('PartialObjectMetadataList');

function acceptOf(kind: string): string {
  return identifierSets
    .map((set) => `application/json;as=${kind};g=meta.${identifiersOf(set).apiDomain};v=v1`)
    .join(',');
}
