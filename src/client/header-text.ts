import { isUtf8 } from 'node:buffer';

/**
 * The text of a header that a server sends as UTF-8. Node's HTTP has a character for each byte;
 * bytes that are no UTF-8 stay these characters.
 */
export function headerText(value: string | undefined): string | undefined {
  if (value === undefined || !/^[\0-\xff]*$/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
