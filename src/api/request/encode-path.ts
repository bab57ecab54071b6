import { badRequest } from '../../status/status-error.ts';
import { namedSegments, type RequestPath } from './request-path.ts';

/**
 * Encodes a path of bytes, one for each character, as Go does: control characters and line ends
 * cannot become a part of the request line.
 */
export function encodePath(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9\-._~$&+,/:;=@]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** Decodes the escapes of a path, whose syntax has been checked. The result need not be UTF-8. */
export function decodePath(path: string): Buffer {
  const decoded = path.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

/**
 * The path of a request up to the end of its sub-resource, encoded from the authorized segments.
 */
export function encodeNamed(path: RequestPath): string {
  return namedSegments(path)
    .map((segment) => `/${encodeSegment(Buffer.from(segment, 'utf8'))}`)
    .join('');
}

/**
 * The path of a request for another server, which reads it by the rules of Go, Node or others: each
 * gets the segments that were authorized, and a slash at the end if there was one. Throws 400 for a
 * path that some resolve or split further: with empty or dot segments, or encoded slashes. The path
 * after a sub-resource may have empty segments and encoded slashes, which cannot lead out of it.
 */
export function pathForOthers(path: RequestPath): string {
  const { decoded, target } = path;
  if (namedSegments(path).some((segment) => segment === '' || segment.includes('/') || isDots(segment))) refuse();
  // Rights on paths distinguish the slashes at the end, of which others keep one.
  if (!target && decoded.endsWith('//')) refuse();
  const rest = target?.rest ?? '';
  return `${encodeNamed(path)}${rest === '' && decoded.endsWith('/') ? '/' : encodeRest(rest)}`;
}

/**
 * The query of a request for another server, which gets the parameters that were read here: some
 * servers split at `;` too, or drop parameters with a percent sign that starts no escape.
 */
export function queryForOthers(query: string): string {
  return query.replaceAll(';', '%3B').replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25');
}

function encodeRest(rest: string): string {
  const segments = rest.split('/').map(decodePath);
  if (segments.some((bytes) => bytes.toString('latin1').split('/').some(isDots))) refuse();
  return segments.map(encodeSegment).join('/');
}

function encodeSegment(bytes: Buffer): string {
  return encodePath(bytes.toString('latin1')).replaceAll('/', '%2F');
}

function isDots(segment: string): boolean {
  return segment === '.' || segment === '..';
}

function refuse(): never {
  throw badRequest(
    'a path that is passed on to another server may not have empty or dot segments, or encoded slashes in a name',
  );
}
