/** The credentials of one request. */
export interface Credentials {
  /** The header of the same name. */
  readonly authorization?: string;
  /** PEM of a client certificate and its key; both or none. */
  readonly cert?: string;
  readonly key?: string;
}

/** Gives the credentials of requests, which may change. */
export interface CredentialSource {
  /** Rejects with CredentialError if there are none. */
  get(): Promise<Credentials>;
  /** Returns others after a server refused these with 401; undefined if there are no others. */
  renew(refused: Credentials): Promise<Credentials | undefined>;
}

/** Credentials cannot be obtained. The message says why, and contains no secret. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}

/** Gives the same credentials always. */
export function fixedCredentials(credentials: Credentials): CredentialSource {
  return { get: () => Promise.resolve(credentials), renew: () => Promise.resolve(undefined) };
}

/** The header for a token. */
export function bearer(token: string): string {
  return `Bearer ${token}`;
}
