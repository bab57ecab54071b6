import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Codec } from '../../codec/codec.ts';
import { createCborCodec } from '../../codec/cbor/cbor-codec.ts';
import { jsonCodec } from '../../codec/json-codec.ts';
import { createProtobufCodec } from '../../codec/protobuf/protobuf-codec.ts';
import { yamlCodec } from '../../codec/yaml-codec.ts';

/** Formats in order of preference; there is at least one. */
export type CodecList = readonly [Codec, ...Codec[]];

/**
 * The formats that can express every kind. The first one is used if a request names no format, and
 * for errors if a request names only formats that are not served.
 */
export const textCodecs: CodecList = [jsonCodec, yamlCodec];

/** The optional formats of a server. */
interface FormatOptions {
  readonly cbor?: boolean;
  /** The release whose fields Protobuf has; undefined: the newest. */
  readonly release?: string | undefined;
}

/** Returns the formats of a server. */
export function codecsOf(identifiers: Identifiers, { cbor, release }: FormatOptions = {}): CodecList {
  return [...textCodecs, createProtobufCodec(identifiers, release), ...(cbor ? [createCborCodec(identifiers)] : [])];
}
