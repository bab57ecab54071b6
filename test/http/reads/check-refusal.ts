import assert from 'node:assert/strict';
import type { HttpResponse } from '../http-client.ts';
import type { Expected } from './list-oracle.ts';
import { statusOf } from './world.ts';

/** Checks that an answer is the refusal that the tables demand. */
export function checkRefusal(
  response: Pick<HttpResponse, 'status' | 'headers' | 'body' | 'text'>,
  { status, reason, messages }: Extract<Expected, { readonly kind: 'refused' }>,
): void {
  assert.equal(response.status, status, response.text);
  const body = statusOf(response);
  assert.equal(body.reason, reason);
  for (const message of messages) assert.match(body.message, message);
  if (status === 422) {
    assert.match(body.message, /^ListOptions\.meta\.cl\.io "" is invalid: /);
    assert.equal(body.details?.causes?.length, messages.length, 'one cause for each thing that is wrong');
    assert.ok(body.details?.causes?.every(({ field }) => field === 'resourceVersionMatch'));
  }
  if (status !== 504) return;
  assert.deepEqual(
    body.details?.causes?.map((cause) => cause.reason),
    ['ResourceVersionTooLarge'],
  );
  assert.equal(body.details?.retryAfterSeconds, 1);
  assert.equal(response.headers['retry-after'], '1');
}

/** Says where in a matrix a check failed. */
export function explained(where: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new Error(where, { cause: error });
  }
}

/** A query parameter; nothing for an empty value. */
export function parameter(name: string, value: string): string {
  return value === '' ? '' : `${name}=${encodeURIComponent(value)}`;
}
