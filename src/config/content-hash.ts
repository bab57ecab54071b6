import { createHash } from 'node:crypto';

/** The hash of a configuration for metric labels: `sha256:<hex>`. */
export function contentHash(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
