import { decodeJson } from '../codec/decode-json.ts';
import { encodeJson } from '../codec/encode-json.ts';
import type { JsonCodec } from '../client/json-codec.ts';
import type { JsonValue } from '../meta/json-value.ts';

/** A JSON codec that keeps all digits of numbers, for output and for manifests. */
export const exactJson: JsonCodec = Object.freeze({
  parse: (bytes: Buffer): JsonValue => decodeJson(bytes, { duplicates: false }).value,
  // All values come from this codec or from YAML, so they are JSON.
  stringify: (value: unknown) => encodeJson(value as JsonValue),
});
