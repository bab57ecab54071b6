import type { Codec } from './codec.ts';
import { jsonCodec } from './json-codec.ts';
import { yamlCodec } from './yaml-codec.ts';

/**
 * The formats of every server, in order of preference. The first one is used if a request names no
 * format, and for errors if a request names only formats that are not served.
 */
export const codecs: readonly [Codec, ...Codec[]] = [jsonCodec, yamlCodec];
