import type { Codec, KindInVersion } from '../../codec/codec.ts';
import { codecs as usualCodecs } from '../../codec/codecs.ts';
import { StatusError } from '../../status/status-error.ts';
import type { MediaRange } from './parse-accept.ts';

/** The formats of a server in the order of preference; there is at least one. */
export type CodecList = readonly [Codec, ...Codec[]];

/**
 * The formats in which something is answered and sent. What is negotiated, read and refused follows
 * from one list of codecs.
 */
export class Formats {
  /**
   * The format of a request that names none, and of an error whose request names none that is
   * served.
   */
  readonly preferred: Codec;
  readonly #codecs: CodecList;
  readonly #ranges: readonly { readonly codec: Codec; readonly type: string; readonly subtype: string }[];
  readonly #byMediaType: ReadonlyMap<string, Codec>;
  readonly #preferring: ReadonlySet<string>;

  constructor(codecs: CodecList) {
    [this.preferred] = codecs;
    this.#codecs = codecs;
    this.#ranges = codecs.map((codec) => {
      const [type = '', subtype = ''] = codec.mediaType.split('/');
      return { codec, type, subtype };
    });
    // A body without a type is of the preferred format.
    this.#byMediaType = new Map([['', this.preferred], ...codecs.map((codec) => [codec.mediaType, codec] as const)]);
    const { mediaType } = this.preferred;
    this.#preferring = new Set(['', '*/*', mediaType, `${mediaType}, */*`]);
  }

  /** The media types, as refusals list them. */
  get mediaTypes(): readonly string[] {
    return this.#codecs.map(({ mediaType }) => mediaType);
  }

  /** True for an Accept header that requests the preferred format in a usual way, as most do. */
  arePreferredBy(accept: string): boolean {
    return this.#preferring.has(accept);
  }

  /** The format that an element of an Accept header names. */
  find(range: MediaRange): Codec | undefined {
    return this.#ranges.find(
      ({ type, subtype }) =>
        (range.type === type || range.type === '*') && (range.subtype === subtype || range.subtype === '*'),
    )?.codec;
  }

  /** The format of a body by its media type, which is '' where none was sent. */
  ofBody(mediaType: string): Codec | undefined {
    return this.#byMediaType.get(mediaType);
  }

  /** The formats that can express a kind. */
  knowing(kind: KindInVersion): Formats {
    const [first, ...others] = this.#codecs.filter(({ knows }) => knows?.(kind) ?? true);
    return first && others.length + 1 < this.#codecs.length ? new Formats([first, ...others]) : this;
  }

  /** 406 that lists what is accepted. */
  notAcceptable(options: ConstructorParameters<typeof StatusError>[2] = {}): StatusError {
    const list = this.mediaTypes.join(', ');
    return new StatusError('NotAcceptable', `only the following media types are accepted: ${list}`, options);
  }
}

/** The formats of a server that brings none of its own. */
export const usualFormats = new Formats(usualCodecs);
