import type { InformerSelection } from '../../client/informers/informer-factory.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { Secret } from '../../gen/types/core-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { parseTime } from '../../meta/time.ts';
import type { Stored } from '../resources.ts';

/** The Secret of a bootstrap token (spec 2.6). */
export type BootstrapSecret = Stored<Secret>;

/** The resource of Secrets. */
export const secrets: ResourceReference<BootstrapSecret> = { group: '', version: 'v1', resource: 'secrets' };

/** Selects the Secrets of bootstrap tokens. */
export function bootstrapSelection({ prefix, labelDomain }: Identifiers): InformerSelection {
  return { namespace: `${prefix}system`, fieldSelector: `type=bootstrap.${labelDomain}/token` };
}

/** The time until a token expires, in milliseconds; undefined if it does not. */
export function expiresInMs(secret: BootstrapSecret, nowMs: number): number | undefined {
  const text = fieldOf(secret, 'expiration');
  if (text === '') return undefined;
  // An expiration that is not a time has passed, as in Kubernetes.
  return (parseTime(text) ?? nowMs) - nowMs;
}

/** The token with which a Secret signs; undefined for one that is not valid for it. */
export function signingToken(secret: BootstrapSecret, nowMs: number): { id: string; secret: string } | undefined {
  const [id, key] = [fieldOf(secret, 'token-id'), fieldOf(secret, 'token-secret')];
  if (!/^[a-z0-9]{6}$/.test(id) || key === '' || secret.metadata.name !== `bootstrap-token-${id}`) return undefined;
  if (fieldOf(secret, 'usage-bootstrap-signing') !== 'true') return undefined;
  return (expiresInMs(secret, nowMs) ?? 1) > 0 ? { id, secret: key } : undefined;
}

function fieldOf({ data }: BootstrapSecret, name: string): string {
  return Buffer.from(data?.[name] ?? '', 'base64').toString();
}
