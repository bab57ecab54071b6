import type { Codec, DecodedObject } from '../../codec/codec.ts';
import { DecodeError } from '../../codec/decode-error.ts';
import { jsonCodec } from '../../codec/json-codec.ts';
import { yamlCodec } from '../../codec/yaml-codec.ts';
import type { PatchRequest } from '../../registry/registry.ts';
import { badRequest } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { mediaTypeOf, unsupportedMediaType } from './content-type.ts';
import { readBody } from './read-body.ts';

/** A patch type as the protocol has it: how its document is written, and the request that it makes. */
interface PatchType {
  readonly isApply: boolean;
  readonly decode: (bytes: Buffer) => DecodedObject | Promise<DecodedObject>;
  /** What a body that cannot be read is refused with. */
  readonly refusal: (problem: string) => string;
  readonly build: (document: DecodedObject) => PatchRequest;
}

const json: Pick<PatchType, 'isApply' | 'decode' | 'refusal'> = {
  isApply: false,
  decode: (bytes) => decodeAs(jsonCodec, bytes),
  refusal: (problem) => problem,
};

/** Patch types by media type, in the order in which a refusal lists them. */
const patchTypes: ReadonlyMap<string, PatchType> = new Map<string, PatchType>([
  [
    'application/json-patch+json',
    { ...json, build: ({ value, duplicateFields }) => ({ type: 'json', operations: value, duplicateFields }) },
  ],
  [
    'application/merge-patch+json',
    {
      ...json,
      refusal: () => 'Invalid JSON Patch',
      build: ({ value, duplicateFields }) => ({ type: 'merge', document: value, duplicateFields }),
    },
  ],
  [
    'application/strategic-merge-patch+json',
    { ...json, build: ({ value, duplicateFields }) => ({ type: 'strategic', document: value, duplicateFields }) },
  ],
  [
    'application/apply-patch+yaml',
    {
      isApply: true,
      decode: decodeApplied,
      refusal: (problem) => `error decoding YAML: ${problem}`,
      build: ({ value, duplicateFields }) => ({ type: 'apply', document: value, duplicateFields }),
    },
  ],
]);

/** The content types of patches. */
export const patchMediaTypes: readonly string[] = [...patchTypes.keys()];

/** How a patch of this content type is read. Throws 415 with the types that are served. */
export function patchTypeOf(contentType: string | undefined): PatchType {
  const type = patchTypes.get(mediaTypeOf(contentType) ?? '');
  if (!type) throw unsupportedMediaType(patchMediaTypes);
  return type;
}

/** Reads the body of a patch. Throws 400, 413, 415, 429. */
export async function readPatch(exchange: Exchange, type: PatchType, limitBytes: number): Promise<PatchRequest> {
  const bytes = await readBody(exchange, limitBytes);
  try {
    return type.build(await type.decode(bytes));
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(type.refusal(error.message));
    throw error;
  }
}

/** Each type of patch is a document of one format, whatever formats objects may come in. */
function decodeAs({ decodeObject }: Codec, bytes: Buffer): DecodedObject | Promise<DecodedObject> {
  return decodeObject(bytes, { duplicates: true, kind: undefined });
}

/** A configuration; clients send JSON for YAML, which it is. */
function decodeApplied(bytes: Buffer): DecodedObject | Promise<DecodedObject> {
  // No document at all, which in YAML is one that says nothing.
  return bytes.length === 0 ? { value: null, duplicateFields: [] } : decodeAs(yamlCodec, bytes);
}
