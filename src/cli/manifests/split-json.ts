import { decodeJson } from '../../codec/decode-json.ts';
import type { ManifestDocument } from './split-documents.ts';

/**
 * Splits a document that is several JSON objects one after the other, as programs print them.
 * Anything else is one document: an object alone, and YAML that begins with a brace.
 */
export function splitJson(document: ManifestDocument): ManifestDocument[] {
  const objects = objectsIn(document);
  const [first, second] = objects ?? [];
  return objects && first && second && isJson(first.text) ? objects : [document];
}

/**
 * Splits a document into JSON objects; undefined if there is other text between them, or one has no
 * end.
 */
function objectsIn({ text, line: firstLine }: ManifestDocument): ManifestDocument[] | undefined {
  const objects: ManifestDocument[] = [];
  let line = firstLine;
  for (let end = 0; ; ) {
    const start = afterSpace(text, end);
    line += countLines(text, end, start);
    if (start === text.length) return objects;
    end = endOfObject(text, start);
    if (end < 0) return undefined;
    objects.push({ text: text.slice(start, end), line });
    line += countLines(text, start, end);
  }
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

/** The place after the brace that closes the one at `start`; -1 if there is none. */
function endOfObject(text: string, start: number): number {
  if (text.charAt(start) !== '{') return -1;
  let depth = 0;
  for (let at = start; at >= 0 && at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') at = endOfString(text, at);
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
    if (at < 0) return -1;
  }
  return -1;
}

/** The place of the quote that closes the one at `start`; -1 if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charAt(at - 1 - escapes) === '\\') escapes++;
    if (escapes % 2 === 0) return at;
  }
  return -1;
}

function countLines(text: string, start: number, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function isJson(text: string): boolean {
  try {
    decodeJson(Buffer.from(text), { duplicates: false });
    return true;
  } catch {
    return false;
  }
}
