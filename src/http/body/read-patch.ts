import type { PatchRequest } from '../../registry/registry.ts';
import { badRequest } from '../../status/status-error.ts';
import type { HttpRequest } from '../request/http-message.ts';
import { mediaTypeOf, unsupportedMediaType } from './content-type.ts';
import { decodeDocument, type Document, DocumentError } from './decode-document.ts';
import { readBody } from './read-body.ts';

/** Builds the request of one patch type from its document. */
type PatchBuilder = (document: Document) => PatchRequest;

/** Patch types by media type, in the order in which a refusal lists them. */
const patchTypes: ReadonlyMap<string, PatchBuilder> = new Map<string, PatchBuilder>([
  ['application/json-patch+json', ({ value }) => ({ type: 'json', operations: value })],
  [
    'application/merge-patch+json',
    ({ value, duplicateFields }) => ({ type: 'merge', document: value, duplicateFields }),
  ],
]);

/** How a patch of this content type is read. Throws 415 with the types that are served. */
export function patchTypeOf(contentType: string | undefined): PatchBuilder {
  const build = patchTypes.get(mediaTypeOf(contentType) ?? '');
  if (!build) throw unsupportedMediaType([...patchTypes.keys()]);
  return build;
}

/** Reads the body of a patch. Throws 400, 413, 415. */
export async function readPatch(request: HttpRequest, build: PatchBuilder, limitBytes: number): Promise<PatchRequest> {
  const bytes = await readBody(request, limitBytes);
  try {
    return build(decodeDocument(bytes, 'json', true));
  } catch (error) {
    if (error instanceof DocumentError) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
}
