import { decodeJson } from '../codec/decode-json.ts';
import { encodeJson } from '../codec/encode-json.ts';
import type { JsonCodec } from '../client/json-codec.ts';
import type { JsonValue } from '../meta/json-value.ts';

/** JSON that keeps every digit, for what is shown to people and sent from their files. */
export const exactJson: JsonCodec = Object.freeze({
  parse: (bytes: Buffer): JsonValue => decodeJson(bytes, { duplicates: false }).value,
  // Values here come from this codec or from YAML, and so are JSON.
  stringify: (value: unknown) => encodeJson(value as JsonValue),
});
