import type { Codec } from '../../codec/codec.ts';
import { type IncludeObject, parseIncludeObject } from '../../codec/table.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { badRequest, type StatusError } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { type MediaRange, parseAccept } from '../request/parse-accept.ts';
import type { Query } from '../request/query.ts';
import { wantsPretty } from './wants-pretty.ts';

/** What shape an answer takes, and in which format it is written. */
export interface Representation {
  /** The format, in its form for people where the client is one. */
  readonly codec: Codec;
  readonly shape: 'object' | TransformedShape;
  /** The version of the meta group that a transformed answer is in. */
  readonly metaVersion: string;
  /** What the rows of a Table carry beside their cells. */
  readonly includeObject: IncludeObject;
}

/** Shapes that objects of every kind can be asked for in (spec 4.7). */
type TransformedShape = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

const shapes: readonly TransformedShape[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];
const metaVersions: ReadonlySet<string> = new Set(['v1', 'v1beta1']);

/** Refuses a request for formats that nothing is written in, whatever it asks for: 406, before the resource is looked at. */
export function checkFormats({ formats, request }: Exchange): void {
  const accept = request.headers.accept ?? '';
  if (formats.arePreferredBy(accept)) return;
  if (parseAccept(accept).some((range) => formats.find(range) !== undefined)) return;
  throw formats.notAcceptable({ details: {} });
}

/** Chooses how a resource is answered (spec 4.7). Throws 406. */
export function representationOf(exchange: Exchange, identifiers: Identifiers): Representation {
  const negotiated = negotiate(exchange, (range) => transformOf(range, identifiers));
  if (!negotiated) throw notAcceptable(exchange);
  if (negotiated.shape !== 'Table') return negotiated;
  return { ...negotiated, includeObject: includeObjectOf(exchange.query) };
}

/**
 * Chooses how something that is no resource is answered: in some format, never transformed. Throws
 * 406.
 */
export function plainRepresentationOf(exchange: Exchange): Representation {
  const plain = negotiatePlain(exchange);
  if (!plain) throw notAcceptable(exchange);
  return plain;
}

/**
 * Chooses how an error is answered: as what is no resource, but in the preferred format rather than
 * not at all.
 */
export function errorRepresentationOf(exchange: Exchange): Representation {
  return negotiatePlain(exchange) ?? represented(exchange, exchange.formats.preferred, untransformed);
}

function negotiatePlain(exchange: Exchange): Representation | undefined {
  return negotiate(exchange, ({ parameters }) => (parameters.has('as') ? undefined : untransformed));
}

type Transform = Pick<Representation, 'shape' | 'metaVersion'>;

const untransformed: Transform = Object.freeze({ shape: 'object', metaVersion: '' });

function negotiate(
  exchange: Exchange,
  transform: (range: MediaRange) => Transform | undefined,
): Representation | undefined {
  const { formats, request } = exchange;
  const accept = request.headers.accept ?? '';
  if (formats.arePreferredBy(accept)) return represented(exchange, formats.preferred, untransformed);
  for (const range of parseAccept(accept)) {
    const codec = formats.find(range);
    const asked = codec && transform(range);
    if (codec && asked) return represented(exchange, codec, asked);
  }
  return undefined;
}

function represented(exchange: Exchange, codec: Codec, { shape, metaVersion }: Transform): Representation {
  const { pretty } = codec;
  return {
    codec: pretty && wantsPretty(exchange) ? pretty : codec,
    shape,
    metaVersion,
    includeObject: 'Metadata',
  };
}

function includeObjectOf(query: Query): IncludeObject {
  const text = query.get('includeObject') ?? '';
  const include = parseIncludeObject(text);
  if (include) return include;
  const problem = `Invalid value: ${JSON.stringify(text.slice(0, 64))}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${problem}`);
}

/** 406 with what would be accepted. */
export function notAcceptable({ formats }: Exchange): StatusError {
  return formats.notAcceptable();
}

function transformOf({ parameters }: MediaRange, { apiDomain }: Identifiers): Transform | undefined {
  const stream = parameters.get('stream');
  if (stream !== undefined && stream !== 'watch') return undefined;
  const as = parameters.get('as');
  if (as === undefined) return untransformed;
  const shape = shapes.find((known) => known === as);
  const metaVersion = parameters.get('v') ?? '';
  const known = metaVersions.has(metaVersion) && parameters.get('g') === `meta.${apiDomain}`;
  return shape && known ? { shape, metaVersion } : undefined;
}
