import type { Codec } from '../../codec/codec.ts';
import { type IncludeObject, parseIncludeObject } from '../../codec/table-definition.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { badRequest } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Formats } from '../request/formats.ts';
import { type MediaRange, parseAccept } from '../../http-protocol/messages/parse-accept.ts';
import type { Query } from '../../http-protocol/requests/query.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { isTrue } from '../options/option-values.ts';

/** User agents of interactive clients. */
const readByEye = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** True if the response is to be indented: `pretty` decides, or the user agent if it is absent. */
function wantsPretty({ query, request }: Exchange): boolean {
  const text = query.get('pretty');
  if (text !== null) return isTrue(text);
  return readByEye.test(request.headers['user-agent'] ?? '');
}

/** The negotiated shape and format of a response. */
export interface Representation {
  /** The format, or its `pretty` form. */
  readonly codec: Codec;
  readonly shape: 'object' | TransformedShape;
  /** The version of the meta group for a transformed response; '' for an object. */
  readonly metaVersion: string;
  /** The content of `object` in the rows of a Table. */
  readonly includeObject: IncludeObject;
  /** True if objects are sent without `metadata.managedFields`. */
  readonly dropsManagers: boolean;
}

/** The shapes that clients can request for every kind (spec 4.7). */
type TransformedShape = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

const shapes: readonly TransformedShape[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];
/** The only field that a client can ask to be left out (`;drop=` in Accept). */
const droppable = 'metadata.managedFields';

const metaVersions: ReadonlySet<string> = new Set(['v1', 'v1beta1']);

/**
 * Throws 406 if the Accept header allows none of the formats, in any shape. Called before the
 * resource is read.
 */
export function checkFormats({ formats, request }: Exchange): void {
  const accept = request.headers.accept ?? '';
  if (formats.arePreferredBy(accept)) return;
  const ranges = parseAccept(accept);
  if (ranges.some((range) => formats.find(range) ?? (asksForMetadata(range) && formats.all.find(range)))) return;
  const isServed = ranges.some((range) => formats.all.find(range) !== undefined);
  throw formats.notAcceptable(isServed ? {} : { details: {} });
}

/**
 * Negotiates the response for a resource (spec 4.7). Throws 406, and 400 for an invalid
 * `includeObject`.
 */
export function representationOf(call: NegotiatingCall): Representation {
  const { exchange, scope } = call;
  const tables = hasTables(call);
  const negotiated = negotiate(exchange, (range) => {
    const transform = transformOf(range, scope.identifiers);
    return transform?.shape === 'Table' && !tables ? undefined : transform;
  });
  if (!negotiated) throw exchange.formats.notAcceptable();
  if (negotiated.shape !== 'Table') return negotiated;
  return { ...negotiated, includeObject: includeObjectOf(exchange.query) };
}

/** The parts of a call that negotiation uses. */
type NegotiatingCall = Pick<ResourceCall, 'exchange' | 'scope' | 'served' | 'subresource' | 'listFeatures'>;

/**
 * Reports whether a resource has Tables: kinds without `get` have none, of the sub-resources only
 * status and scale do.
 */
function hasTables({ served, subresource, listFeatures }: NegotiatingCall): boolean {
  if (!subresource) return served.version.verbs.includes('get');
  const { name, kind } = subresource;
  return listFeatures.subresourceTables && (kind ? kind.table !== undefined : name === 'status');
}

/**
 * Negotiates the response for something that is not a resource: it is never transformed. Throws
 * 406.
 */
export function plainRepresentationOf(exchange: Exchange): Representation {
  const plain = negotiatePlain(exchange);
  if (!plain) throw exchange.formats.notAcceptable();
  return plain;
}

/**
 * Negotiates the format of an error, which is never transformed. Falls back to the preferred format
 * in place of a 406.
 */
export function errorRepresentationOf(exchange: Exchange): Representation {
  return negotiatePlain(exchange) ?? represented(exchange, exchange.formats.preferred, untransformed);
}

function negotiatePlain(exchange: Exchange): Representation | undefined {
  return negotiate(exchange, untransformedAlone, exchange.formats.all);
}

function untransformedAlone({ parameters }: MediaRange): Transform | undefined {
  return shapeName(parameters) === undefined ? untransformed : undefined;
}

/**
 * Returns the shape that an element of Accept names, undefined for the object as it is. The group
 * or version of a shape without its name is a shape that does not exist.
 */
function shapeName(parameters: MediaRange['parameters']): string | undefined {
  const as = parameters.get('as') ?? '';
  return as === '' && !parameters.get('g') && !parameters.get('v') ? undefined : as;
}

type Transform = Pick<Representation, 'shape' | 'metaVersion' | 'dropsManagers'>;

const untransformed: Transform = Object.freeze({ shape: 'object', metaVersion: '', dropsManagers: false });

function negotiate(
  exchange: Exchange,
  transform: (range: MediaRange) => Transform | undefined,
  formats = exchange.formats,
): Representation | undefined {
  const { request } = exchange;
  const accept = request.headers.accept ?? '';
  if (formats.arePreferredBy(accept)) return represented(exchange, formats.preferred, untransformed);
  for (const range of parseAccept(accept)) {
    const asked = transform(range);
    const codec = asked && formatOf(formats, range, asked);
    if (codec) return represented(exchange, codec, asked);
  }
  return undefined;
}

/**
 * Returns the format that has the shape. One that cannot express the objects of a custom kind may
 * express their metadata: informers of the garbage collector read those in Protobuf.
 */
function formatOf(formats: Formats, range: MediaRange, { shape, metaVersion }: Transform): Codec | undefined {
  if (shape === 'object') return formats.find(range);
  const codec = formats.all.find(range);
  const isKnown = codec?.knows?.({ group: 'meta', version: metaVersion, kind: shape }) ?? true;
  return isKnown ? codec : undefined;
}

function asksForMetadata({ parameters }: MediaRange): boolean {
  return shapeName(parameters)?.startsWith('PartialObjectMetadata') ?? false;
}

function represented(exchange: Exchange, codec: Codec, transform: Transform): Representation {
  const { pretty } = codec;
  return { codec: pretty && wantsPretty(exchange) ? pretty : codec, ...transform, includeObject: 'Metadata' };
}

function includeObjectOf(query: Query): IncludeObject {
  const text = query.get('includeObject') ?? '';
  const include = parseIncludeObject(text);
  if (include) return include;
  const problem = `Invalid value: ${JSON.stringify(text.slice(0, 64))}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${problem}`);
}

function transformOf({ parameters }: MediaRange, { apiDomain }: Identifiers): Transform | undefined {
  const stream = parameters.get('stream');
  if (stream !== undefined && stream !== 'watch') return undefined;
  const drop = parameters.get('drop');
  if (drop !== undefined && drop !== droppable) return undefined;
  const dropsManagers = drop !== undefined;
  const as = shapeName(parameters);
  if (as === undefined) return dropsManagers ? { ...untransformed, dropsManagers } : untransformed;
  const shape = shapes.find((known) => known === as);
  const metaVersion = parameters.get('v') ?? '';
  const known = metaVersions.has(metaVersion) && parameters.get('g') === `meta.${apiDomain}`;
  return shape && known ? { shape, metaVersion, dropsManagers } : undefined;
}
