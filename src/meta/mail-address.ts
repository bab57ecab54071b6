import { isIP, isIPv4 } from 'node:net';

const atom = /^[!#-'*+\-./0-9=?A-Z^_`a-z{|}~\u0080-\u{10ffff}]+/u;
const quotedString = /^"((?:[\t !#-[\]-~\u0080-\u{10ffff}]|\\[\t -~\u0080-\u{10ffff}])*)"/u;
const domainLiteral = /^\[([!-Z^-~\u0080-\u{10ffff}]*)\]/u;

/** A text that is read from its beginning on. */
interface Reader {
  rest: string;
}

/**
 * Reports whether a text is one address of RFC 5322, with a display name or without, and in a group
 * or not, as Go's `net/mail` reads it.
 */
export function isMailAddress(text: string): boolean {
  const reader: Reader = { rest: text };
  return readAddress(reader, true) && skipComments(reader) && reader.rest === '';
}

function skipSpace(reader: Reader): void {
  reader.rest = reader.rest.replace(/^[ \t]+/, '');
}

function consume(reader: Reader, text: string): boolean {
  if (!reader.rest.startsWith(text)) return false;
  reader.rest = reader.rest.slice(text.length);
  return true;
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  const found = pattern.exec(reader.rest);
  if (!found) return undefined;
  reader.rest = reader.rest.slice(found[0].length);
  return found;
}

function readAddress(reader: Reader, mayBeGroup: boolean): boolean {
  skipSpace(reader);
  if (reader.rest === '') return false;
  if (readSpec(reader)) {
    skipSpace(reader);
    return !reader.rest.startsWith('(') || skipComment(reader);
  }
  if (!reader.rest.startsWith('<') && !readPhrase(reader)) return false;
  skipSpace(reader);
  if (mayBeGroup && consume(reader, ':')) return readGroup(reader);
  return consume(reader, '<') && readSpec(reader) && consume(reader, '>');
}

/** A group counts if it has one address. */
function readGroup(reader: Reader): boolean {
  return readAddress(reader, false) && skipComments(reader) && consume(reader, ';');
}

/** Reads `local@domain`; reads nothing if there is none. */
function readSpec(reader: Reader): boolean {
  const { rest } = reader;
  skipSpace(reader);
  const local = reader.rest.startsWith('"') ? (take(reader, quotedString)?.[1] ?? '') !== '' : readAtom(reader);
  if (local && consume(reader, '@')) {
    skipSpace(reader);
    if (reader.rest.startsWith('[') ? isAddress(take(reader, domainLiteral)?.[1]) : readAtom(reader)) return true;
  }
  reader.rest = rest;
  return false;
}

function isAddress(text: string | undefined): boolean {
  if (text === undefined) return false;
  return text.startsWith('IPv6:') ? isIP(text.slice(5)) !== 0 : isIPv4(text);
}

function readAtom(reader: Reader): boolean {
  const [text] = take(reader, atom) ?? [];
  return text !== undefined && !/^\.|\.\.|\.$/.test(text);
}

/** Reads one word or more. */
function readPhrase(reader: Reader): boolean {
  let words = 0;
  for (;;) {
    if (words > 0 && !skipComments(reader)) return false;
    skipSpace(reader);
    if (!take(reader, reader.rest.startsWith('"') ? quotedString : atom)) return words > 0;
    words++;
  }
}

function skipComments(reader: Reader): boolean {
  skipSpace(reader);
  while (reader.rest.startsWith('(')) {
    if (!skipComment(reader)) return false;
    skipSpace(reader);
  }
  return true;
}

/** Skips a comment, in which others may be. */
function skipComment(reader: Reader): boolean {
  let depth = 0;
  for (let index = 0; index < reader.rest.length; index++) {
    const character = reader.rest[index];
    if (character === '\\') index++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) {
      reader.rest = reader.rest.slice(index + 1);
      return true;
    }
  }
  return false;
}
