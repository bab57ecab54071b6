import { isIP, isIPv4 } from 'node:net';

/**
 * A reader over the code units of a text. It never goes back, because a text may have megabytes.
 */
interface Reader {
  readonly text: string;
  at: number;
}

const tab = 0x09;
const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const bracket = 0x5d;

/** The characters of ASCII that are in words. A dot is one of them. */
const atomCharacters = characterSet(
  "!#$%&'*+-./0123456789=?ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz{|}~",
);

function characterSet(characters: string): readonly boolean[] {
  return Array.from({ length: 0x80 }, (_, code) => characters.includes(String.fromCharCode(code)));
}

/**
 * Reports whether a text is exactly one RFC 5322 address, with or without a display name or a
 * group, as Go's `net/mail` parses it.
 */
export function isMailAddress(text: string): boolean {
  const reader: Reader = { text, at: 0 };
  return readAddress(reader, true) && skipComments(reader) && isAtEnd(reader);
}

function isAtEnd({ text, at }: Reader): boolean {
  return at >= text.length;
}

function isNext({ text, at }: Reader, character: string): boolean {
  return text.startsWith(character, at);
}

function skipSpace(reader: Reader): void {
  const { text } = reader;
  for (let code = text.charCodeAt(reader.at); code === space || code === tab; code = text.charCodeAt(reader.at)) {
    reader.at++;
  }
}

function consume(reader: Reader, character: string): boolean {
  if (!isNext(reader, character)) return false;
  reader.at++;
  return true;
}

function readAddress(reader: Reader, mayBeGroup: boolean): boolean {
  skipSpace(reader);
  if (isAtEnd(reader)) return false;
  if (readSpec(reader)) {
    skipSpace(reader);
    return !isNext(reader, '(') || skipComment(reader);
  }
  if (!isNext(reader, '<') && !readPhrase(reader)) return false;
  skipSpace(reader);
  if (mayBeGroup && consume(reader, ':')) return readGroup(reader);
  return consume(reader, '<') && readSpec(reader) && consume(reader, '>');
}

/** Reads a group; only a group of exactly one address is valid. */
function readGroup(reader: Reader): boolean {
  return readAddress(reader, false) && skipComments(reader) && consume(reader, ';');
}

/** Reads `local@domain`; reads nothing if there is none. */
function readSpec(reader: Reader): boolean {
  const { at } = reader;
  skipSpace(reader);
  const local = isNext(reader, '"') ? readQuoted(reader) > 0 : readDotAtom(reader);
  if (local && consume(reader, '@')) {
    skipSpace(reader);
    if (isNext(reader, '[') ? isAddress(readDomainLiteral(reader)) : readDotAtom(reader)) return true;
  }
  reader.at = at;
  return false;
}

function isAddress(text: string | undefined): boolean {
  if (text === undefined) return false;
  return text.startsWith('IPv6:') ? isIP(text.slice(5)) !== 0 : isIPv4(text);
}

/**
 * Reads a domain literal in brackets; undefined if a character is invalid or the end is missing.
 */
function readDomainLiteral(reader: Reader): string | undefined {
  const { text, at } = reader;
  for (let index = at + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === bracket) {
      reader.at = index + 1;
      return text.slice(at + 1, index);
    }
    if (code <= space || code === 0x5b || code === backslash || code === 0x7f) return undefined;
  }
  return undefined;
}

/** Reads a quoted string. Returns the length without the quotes; -1 if there is none. */
function readQuoted(reader: Reader): number {
  const { text, at } = reader;
  for (let index = at + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      reader.at = index + 1;
      return index - at - 1;
    }
    const shown = code === backslash ? text.charCodeAt(++index) : code;
    const mayBeQuoted = code !== backslash || shown < 0x7f;
    if (!mayBeQuoted || !(shown === tab || (shown >= space && shown !== 0x7f))) return -1;
  }
  return -1;
}

/** Reads a word; reads nothing if there is none. */
function readAtom(reader: Reader): boolean {
  const { text, at } = reader;
  let end = at;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code < 0x80 && !atomCharacters[code]) break;
  }
  reader.at = end;
  return end > at;
}

/** Reads a word whose dots are each between other characters. */
function readDotAtom(reader: Reader): boolean {
  const { text, at } = reader;
  return readAtom(reader) && !/^\.|\.\.|\.$/.test(text.slice(at, reader.at));
}

/** Reads one word or more. */
function readPhrase(reader: Reader): boolean {
  let words = 0;
  for (;;) {
    if (words > 0 && !skipComments(reader)) return false;
    skipSpace(reader);
    if (!(isNext(reader, '"') ? readQuoted(reader) >= 0 : readAtom(reader))) return words > 0;
    words++;
  }
}

function skipComments(reader: Reader): boolean {
  skipSpace(reader);
  while (isNext(reader, '(')) {
    if (!skipComment(reader)) return false;
    skipSpace(reader);
  }
  return true;
}

/** Skips a comment; comments can be nested. */
function skipComment(reader: Reader): boolean {
  const { text } = reader;
  let depth = 0;
  for (let index = reader.at; index < text.length; index++) {
    const character = text[index];
    if (character === '\\') index++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) {
      reader.at = index + 1;
      return true;
    }
  }
  return false;
}
