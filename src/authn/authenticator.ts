import type { PeerChain } from '../pki/certificate-chain.ts';
import type { UserInfo } from '../meta/user-info.ts';

/**
 * The parts of a request that authenticators see. Headers are raw: repeated ones are not joined.
 */
export interface AuthenticationRequest {
  /** The token after `Bearer `; undefined without an Authorization header. */
  readonly bearerToken: string | undefined;
  /**
   * The client certificate; `verified` is true if the TLS handshake verified its chain against
   * the client CA of that time.
   */
  readonly clientCertificate: (PeerChain & { readonly verified: boolean }) | undefined;
  /** Alternating names and values, as in node:http. */
  readonly rawHeaders: readonly string[];
  /**
   * The audiences that the token must be for, one of them at least; undefined: the audiences of
   * this server (`--api-audiences`). Authenticators whose credentials have no audiences ignore it.
   */
  readonly audiences?: readonly string[];
  /** Takes facts for the audit events of the request; absent if it is not recorded. */
  readonly audited?: AuditedRequest | undefined;
  /** Receives warnings for the client; absent if nobody reads them. */
  readonly warnings?: { add(text: string): void };
  /** Aborts calls to other servers when the request ends; the signal is created on first access. */
  readonly cancellation: { readonly signal: AbortSignal };
}

/** A request whose events have annotations. */
interface AuditedRequest {
  annotate(name: string, value: string): void;
}

/**
 * The result of an authenticator. `undefined`: no opinion, the next one is asked. A thrown
 * StatusError Unauthorized means an invalid credential: the request is refused unless another
 * authenticator recognises it.
 */
export type AuthenticationResult = Authentication | undefined;

/**
 * A user, and the requested audiences that the credential is for; absent: the audiences of this
 * server.
 */
interface Authentication {
  readonly user: UserInfo;
  readonly audiences?: readonly string[];
}

/** An authentication mechanism. They are tried in order, and the first user is taken (spec 5.1). */
export interface Authenticator {
  readonly name: string;
  authenticate(request: AuthenticationRequest): Promise<AuthenticationResult> | AuthenticationResult;
  /** True for headers with credentials of this mechanism; names are in lower case. */
  isCredentialHeader?(name: string): boolean;
}
