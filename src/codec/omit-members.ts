import { endOfString } from './scan-json.ts';

const quote = 0x22;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const nothing = Buffer.from('null');

/** A member of an object whose value was taken out of a document. */
interface OmittedMember {
  readonly name: string;
  /** The JSON of the value; shares memory with the document. */
  readonly value: Buffer;
}

/**
 * Takes the values of the members with these names out of JSON that this server has written; null
 * stands in their places. What is in such a value is not looked at, so that a document costs little
 * more to read than what is left of it.
 */
export function omitMembers(
  json: Buffer,
  names: readonly string[],
): { readonly rest: Buffer; readonly omitted: readonly OmittedMember[] } {
  // Only a member is written like this: in a string the quotes are escaped.
  const searches = names.map((name) => ({ name, text: Buffer.from(`${JSON.stringify(name)}:`), at: 0 }));
  const pieces: Buffer[] = [];
  const omitted: OmittedMember[] = [];
  let end = 0;
  for (;;) {
    for (const search of searches) {
      if (search.at <= end) search.at = indexFrom(json, search.text, end);
    }
    const next = searches.reduce((first, search) => (search.at < first.at ? search : first));
    if (next.at === Infinity) break;
    const start = next.at + next.text.length;
    pieces.push(json.subarray(end, start), nothing);
    end = endOfValue(json, start);
    omitted.push({ name: next.name, value: json.subarray(start, end) });
  }
  return { rest: Buffer.concat([...pieces, json.subarray(end)]), omitted };
}

function indexFrom(json: Buffer, text: Buffer, from: number): number {
  const at = json.indexOf(text, from);
  return at < 0 ? Infinity : at;
}

/** The offset behind a value. */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) {
      at = endOfString(json, at + 1);
      if (depth === 0) return at + 1;
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      // Below zero: the object around the member ends, so that its value did.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (byte === comma && depth === 0) return at;
  }
  return json.length;
}
