import { memoizeText } from '../../meta/memoize.ts';

/** An element of an Accept header. Types and parameter names are in lower case. */
export interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The maximum number of elements; further ones are ignored. */
const rangeLimit = 32;

/**
 * Parses an Accept header (RFC 9110, 12.5.1), highest quality first. Invalid elements and elements
 * with quality 0 are omitted. All requests of a client send the same few headers.
 */
export const parseAccept: (header: string) => readonly MediaRange[] = memoizeText(parseRanges, {
  most: 100,
  longest: 512,
});

function parseRanges(header: string): readonly MediaRange[] {
  const ranges = header.split(',', rangeLimit).map(parseRange);
  return ranges
    .filter((range) => range !== undefined)
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
}

function parseRange(text: string): MediaRange | undefined {
  const [name = '', ...rest] = text.split(';').map((part) => part.trim());
  const [type = '', subtype = '', more] = name.toLowerCase().split('/');
  if (!type || !subtype || more !== undefined) return undefined;
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [key = '', value = ''] = part.split('=', 2).map((side) => side.trim());
    parameters.set(key.toLowerCase(), value.replace(/^"(.*)"$/, '$1'));
  }
  const quality = parameters.has('q') ? Number(parameters.get('q')) : 1;
  return { type, subtype, parameters, quality: Number.isFinite(quality) ? quality : 0 };
}
