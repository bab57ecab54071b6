import type { Codec, KindInVersion } from '../../codec/codec.ts';
import { type CodecList, textCodecs } from './codecs.ts';
import { StatusError } from '../../status/status-error.ts';
import type { MediaRange } from '../../http-protocol/messages/parse-accept.ts';

/**
 * The formats of requests and responses. Negotiation, parsing and refusals follow from one list of
 * codecs.
 */
export class Formats {
  /**
   * The format for a request without an Accept header, and for an error if the Accept header allows
   * no served format.
   */
  readonly preferred: Codec;
  /**
   * The formats of the server. Errors have any of these, and bodies and refusals name them all, for
   * a kind too that some cannot express.
   */
  readonly all: Formats;
  readonly #codecs: CodecList;
  readonly #ranges: readonly { readonly codec: Codec; readonly type: string; readonly subtype: string }[];
  readonly #byMediaType: ReadonlyMap<string, Codec>;
  readonly #preferring: ReadonlySet<string>;

  constructor(codecs: CodecList, all?: Formats) {
    [this.preferred] = codecs;
    this.all = all ?? this;
    this.#codecs = codecs;
    this.#ranges = codecs.map((codec) => {
      const [type = '', subtype = ''] = codec.mediaType.split('/');
      return { codec, type, subtype };
    });
    // A body without a Content-Type has the preferred format.
    this.#byMediaType = new Map([['', this.preferred], ...codecs.map((codec) => [codec.mediaType, codec] as const)]);
    const { mediaType } = this.preferred;
    this.#preferring = new Set(['', '*/*', mediaType, `${mediaType}, */*`]);
  }

  /** The media types, as refusals list them. */
  get mediaTypes(): readonly string[] {
    return this.#codecs.map(({ mediaType }) => mediaType);
  }

  /** The media types of watches, as refusals list them. */
  get watchMediaTypes(): readonly string[] {
    return this.#codecs.flatMap(({ mediaType, watch }) => {
      if (!watch) return [];
      const isOwn = watch.mediaType !== mediaType && !watch.mediaType.startsWith(`${mediaType};`);
      return [isOwn ? watch.mediaType : `${mediaType};stream=watch`];
    });
  }

  /**
   * True for a common Accept header that selects the preferred format. Avoids parsing most headers.
   */
  arePreferredBy(accept: string): boolean {
    return this.#preferring.has(accept);
  }

  /** Returns the format that an element of an Accept header selects. */
  find(range: MediaRange): Codec | undefined {
    return this.#ranges.find(
      ({ type, subtype }) =>
        (range.type === type || range.type === '*') && (range.subtype === subtype || range.subtype === '*'),
    )?.codec;
  }

  /** Returns the format of a body by its media type, which is '' without a Content-Type. */
  ofBody(mediaType: string): Codec | undefined {
    return this.#byMediaType.get(mediaType);
  }

  /** Returns the formats that can express a kind. */
  knowing(kind: KindInVersion): Formats {
    const [first, ...others] = this.#codecs.filter(({ knows }) => knows?.(kind) ?? true);
    return first && others.length + 1 < this.#codecs.length ? new Formats([first, ...others], this.all) : this;
  }

  /** Returns the 406 with a list of the accepted media types. */
  notAcceptable(options: ConstructorParameters<typeof StatusError>[2] = {}): StatusError {
    return refusalNaming(this.all.mediaTypes, options);
  }

  /** Returns the 406 of a watch, with a list of the formats that have streams. */
  notAcceptableInWatch(): StatusError {
    return refusalNaming(this.all.watchMediaTypes);
  }
}

function refusalNaming(
  mediaTypes: readonly string[],
  options: Parameters<Formats['notAcceptable']>[0] = {},
): StatusError {
  const list = mediaTypes.join(', ');
  return new StatusError('NotAcceptable', `only the following media types are accepted: ${list}`, options);
}

/** The formats of a request until its server has set its own. */
export const textFormats = new Formats(textCodecs);
