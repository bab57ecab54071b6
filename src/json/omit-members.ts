import { JsonCursor } from './json-cursor.ts';

const nothing = Buffer.from('null');

/** A member of an object whose value was taken out of a document. */
interface OmittedMember {
  readonly name: string;
  /** The JSON of the value; shares memory with the document. */
  readonly value: Buffer;
}

/**
 * Takes the values of the members with these names out of JSON that this server has written; null
 * stands in their places. Such a value is not parsed, so that a document costs little more to read
 * than the rest of it.
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
    const cursor = new JsonCursor(json, start);
    cursor.skipValue();
    end = cursor.end;
    omitted.push({ name: next.name, value: json.subarray(start, end) });
  }
  return { rest: Buffer.concat([...pieces, json.subarray(end)]), omitted };
}

function indexFrom(json: Buffer, text: Buffer, from: number): number {
  const at = json.indexOf(text, from);
  return at < 0 ? Infinity : at;
}
