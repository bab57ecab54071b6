import { createHash } from 'node:crypto';

/** The hash of a text as labels of metrics have it: `sha256:<hex>`. */
export function contentHash(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
