import { type IncludeObject, parseIncludeObject } from '../../codec/table.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { badRequest, StatusError } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { type MediaRange, parseAccept } from './parse-accept.ts';
import type { Query } from '../request/query.ts';

/** What shape an answer takes, and in which format it is written. */
export interface Representation {
  readonly format: 'json' | 'yaml';
  readonly shape: 'object' | TransformedShape;
  /** The version of the meta group that a transformed answer is in. */
  readonly metaVersion: string;
  /** What the rows of a Table carry beside their cells. */
  readonly includeObject: IncludeObject;
}

/** Shapes that objects of every kind can be asked for in (spec 4.7). */
type TransformedShape = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

const plainJson: Representation = Object.freeze({
  format: 'json',
  shape: 'object',
  metaVersion: '',
  includeObject: 'Metadata',
});

const shapes: readonly TransformedShape[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];
const metaVersions: ReadonlySet<string> = new Set(['v1', 'v1beta1']);

/** The formats in the order of preference. */
const formats: readonly {
  readonly format: Representation['format'];
  readonly type: string;
  readonly subtype: string;
}[] = [
  { format: 'json', type: 'application', subtype: 'json' },
  { format: 'yaml', type: 'application', subtype: 'yaml' },
];

const acceptedTypes = `only the following media types are accepted: ${formats
  .map(({ type, subtype }) => `${type}/${subtype}`)
  .join(', ')}`;

/** Accept headers that ask for nothing but JSON; most requests have one of them. */
const plainAccepts: ReadonlySet<string> = new Set(['', '*/*', 'application/json', 'application/json, */*']);

/** Refuses a request for formats that nothing is written in, whatever it asks for: 406, before the resource is looked at. */
export function checkFormats(exchange: Exchange): void {
  const accept = exchange.request.headers.accept ?? '';
  if (plainAccepts.has(accept) || parseAccept(accept).some((range) => formatOf(range) !== undefined)) return;
  throw new StatusError('NotAcceptable', acceptedTypes, { details: {} });
}

/** Chooses how a resource is answered (spec 4.7). Throws 406. */
export function representationOf(exchange: Exchange, identifiers: Identifiers): Representation {
  const accept = exchange.request.headers.accept ?? '';
  if (plainAccepts.has(accept)) return plainJson;
  const negotiated = negotiate(accept, (range) => transformOf(range, identifiers));
  if (!negotiated) throw notAcceptable();
  if (negotiated.shape !== 'Table') return negotiated;
  return { ...negotiated, includeObject: includeObjectOf(exchange.query) };
}

/** Chooses how something that is no resource is answered: in JSON or YAML, never transformed. Throws 406. */
export function plainRepresentationOf(exchange: Exchange): Representation {
  const plain = plainFormatOf(exchange);
  if (!plain) throw notAcceptable();
  return plain;
}

/** Chooses how an error is answered: as what is no resource, but in JSON rather than not at all. */
export function errorRepresentationOf(exchange: Exchange): Representation {
  return plainFormatOf(exchange) ?? plainJson;
}

function plainFormatOf(exchange: Exchange): Representation | undefined {
  const accept = exchange.request.headers.accept ?? '';
  if (plainAccepts.has(accept)) return plainJson;
  return negotiate(accept, (range) => (range.parameters.has('as') ? undefined : { shape: 'object', metaVersion: '' }));
}

type Transform = Pick<Representation, 'shape' | 'metaVersion'>;

function negotiate(
  accept: string,
  transform: (range: MediaRange) => Transform | undefined,
): Representation | undefined {
  for (const range of parseAccept(accept)) {
    const found = formatOf(range);
    const asked = found && transform(range);
    if (found && asked) return { ...plainJson, format: found.format, ...asked };
  }
  return undefined;
}

function formatOf(range: MediaRange): (typeof formats)[number] | undefined {
  return formats.find(
    ({ type, subtype }) =>
      (range.type === type || range.type === '*') && (range.subtype === subtype || range.subtype === '*'),
  );
}

function includeObjectOf(query: Query): IncludeObject {
  const text = query.get('includeObject') ?? '';
  const include = parseIncludeObject(text);
  if (include) return include;
  const problem = `Invalid value: ${JSON.stringify(text.slice(0, 64))}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${problem}`);
}

/** 406 with what would be accepted. */
export function notAcceptable(): StatusError {
  return new StatusError('NotAcceptable', acceptedTypes);
}

function transformOf({ parameters }: MediaRange, { apiDomain }: Identifiers): Transform | undefined {
  const stream = parameters.get('stream');
  if (stream !== undefined && stream !== 'watch') return undefined;
  const as = parameters.get('as');
  if (as === undefined) return { shape: 'object', metaVersion: '' };
  const shape = shapes.find((known) => known === as);
  const metaVersion = parameters.get('v') ?? '';
  const known = metaVersions.has(metaVersion) && parameters.get('g') === `meta.${apiDomain}`;
  return shape && known ? { shape, metaVersion } : undefined;
}
