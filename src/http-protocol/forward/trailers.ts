import type { HttpExchange } from '../requests/http-exchange.ts';
import { endToEndHeaders, headerValues, isHopByHop } from './end-to-end-headers.ts';

/** The trailers of a backend's response (RFC 9110, 6.5). */
export interface Trailers {
  /** The names that the backend announced. */
  readonly announced: readonly string[];
  /** Names and values alternately. Complete once the body has been read. */
  readonly received: () => readonly string[];
}

/** Returns the trailers of a response with these headers, names and values alternately. */
export function trailersOf(rawHeaders: readonly string[], received: Trailers['received']): Trailers {
  const names = headerValues(rawHeaders, 'trailer').flatMap((value) => value.split(','));
  return { announced: names.map((name) => name.trim()).filter(isPassed), received };
}

/**
 * Prepares a response whose headers are not sent yet for trailers. Returns headers that announce
 * them, names and values alternately. A response without a body, or with one of known length, has
 * none.
 */
export function announceTrailers(
  { request, response }: HttpExchange,
  { status, hasLength }: { readonly status: number; readonly hasLength: boolean },
  { announced }: Trailers,
): readonly string[] {
  const isEmpty = request.method === 'HEAD' || status === 204 || status === 304;
  if (isEmpty || hasLength || request.httpVersion === '1.0' || !response.addTrailers) return [];
  response.allowTrailers?.();
  return announced.length === 0 ? [] : ['Trailer', announced.join(', ')];
}

/** Adds the received trailers to a response whose body is written. To be called before its end. */
export function passTrailers({ response }: HttpExchange, { received }: Trailers): void {
  const kept = endToEndHeaders(received(), (name) => !isPassed(name));
  const pairs: [string, string][] = [];
  for (let index = 0; index < kept.length; index += 2) pairs.push([kept[index] ?? '', kept[index + 1] ?? '']);
  if (pairs.length > 0) response.addTrailers?.(pairs);
}

/** The length of a body and the host are no matter of trailers (RFC 9110, 6.5.1). */
function isPassed(name: string): boolean {
  const lower = name.toLowerCase();
  return lower !== '' && lower !== 'content-length' && lower !== 'host' && !isHopByHop(lower);
}
