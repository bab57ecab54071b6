import type { Codec, DecodedObject } from '../../codec/codec.ts';
import { DecodeError } from '../../codec/decode-error.ts';
import { decodeCbor } from '../../codec/cbor/cbor-codec.ts';
import { jsonCodec } from '../../codec/json-codec.ts';
import { yamlCodec } from '../../codec/yaml-codec.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import type { PatchRequest } from '../../registry/definition/registry.ts';
import { badRequest } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { mediaTypeOf, unsupportedMediaType } from './body-codec.ts';
import { readBody } from '../../http-protocol/requests/read-body.ts';

/**
 * A patch type of the protocol: how its document is decoded, and the patch request built from it.
 */
interface PatchType {
  readonly isApply: boolean;
  /** `client` is the name of the user. */
  readonly decode: (bytes: Buffer, client: string) => DecodedObject | Promise<DecodedObject>;
  /** Builds the error message for a body that cannot be decoded. */
  readonly refusal: (problem: string) => string;
  readonly build: (document: DecodedObject) => PatchRequest;
}

const json: Pick<PatchType, 'isApply' | 'decode' | 'refusal'> = {
  isApply: false,
  decode: (bytes, client) => decodeAs(jsonCodec, bytes, client),
  refusal: (problem) => problem,
};

/** Patch types by media type, in the order of the list in a 415. */
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
      build: ({ value, ...duplicates }) => ({ type: 'apply', document: value, ...duplicates }),
    },
  ],
  [
    'application/apply-patch+cbor',
    {
      isApply: true,
      decode: (bytes) => decodeCbor(bytes),
      // The message of kube-apiserver, whatever the format is.
      refusal: (problem) => `error decoding YAML: ${problem}`,
      build: ({ value, duplicateFields }) => ({ type: 'apply', document: value, duplicateFields }),
    },
  ],
]);

/** The formats of patches that not every server supports, by media type. */
const formatOfPatch: ReadonlyMap<string, string> = new Map([['application/apply-patch+cbor', 'application/cbor']]);

/**
 * The media types of patches for objects of a schema. `formats` are the media types of objects.
 * Custom kinds have no strategic merge patch.
 */
export function patchMediaTypes({ structural, declared }: ObjectSchema, formats: readonly string[]): readonly string[] {
  const isCustom = structural !== undefined || declared !== undefined;
  return [...patchTypes.keys()].filter((type) => {
    const format = formatOfPatch.get(type);
    return (format === undefined || formats.includes(format)) && !(isCustom && type.includes('strategic'));
  });
}

/**
 * Returns the patch type of the Content-Type of a request, for objects of a schema. Throws 415 with
 * the supported types.
 */
export function patchTypeOf({ request, formats }: Exchange, schema: ObjectSchema): PatchType {
  const contentType = request.headers['content-type'];
  const accepted = patchMediaTypes(schema, formats.all.mediaTypes);
  const name = mediaTypeOf(contentType) ?? '';
  const type = accepted.includes(name) ? patchTypes.get(name) : undefined;
  if (!type) throw unsupportedMediaType(accepted, schema.structural ? {} : { details: {} });
  return type;
}

/** Reads the body of a patch. Throws 400, 413, 415, 429. */
export async function readPatch(exchange: Exchange, type: PatchType, limitBytes: number): Promise<PatchRequest> {
  const bytes = await readBody(exchange, limitBytes);
  exchange.step('limitedReadBody succeeded');
  try {
    const decoded = await type.decode(bytes, exchange.user.username);
    exchange.audit?.requestObject(() => decoded.value);
    return type.build(decoded);
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(type.refusal(error.message));
    throw error;
  }
}

/**
 * Decodes the document of a patch. Its format follows from the patch type, independent of the
 * formats of objects.
 */
function decodeAs({ decodeObject }: Codec, bytes: Buffer, client: string): DecodedObject | Promise<DecodedObject> {
  return decodeObject(bytes, { duplicates: true, kind: undefined, client });
}

/** Decodes a configuration. Clients also send JSON, which is valid YAML. */
function decodeApplied(bytes: Buffer, client: string): DecodedObject | Promise<DecodedObject> {
  // An empty body is an empty YAML document, which is null.
  return bytes.length === 0 ? { value: null, duplicateFields: [] } : decodeAs(yamlCodec, bytes, client);
}
