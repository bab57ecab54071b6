import type { Codec } from './codec.ts';
import { jsonCodec } from './json-codec.ts';
import { yamlCodec } from './yaml-codec.ts';

/**
 * The formats of every server, in the order of preference. The first one is used where a request
 * names none, and for errors where it names none that is served.
 */
export const codecs: readonly [Codec, ...Codec[]] = [jsonCodec, yamlCodec];
