import type { PeerChain } from '../pki/certificate-chain.ts';
import type { UserInfo } from '../meta/user-info.ts';

/** What authenticators may look at. Headers are raw: repeated ones are not joined. */
export interface AuthenticationRequest {
  /** The value behind `Bearer `, undefined when no Authorization header was sent. */
  readonly bearerToken: string | undefined;
  /** The client certificate, and whether the handshake verified its chain against the client CA of that time. */
  readonly clientCertificate: (PeerChain & { readonly verified: boolean }) | undefined;
  /** Alternating names and values, as node:http gives them. */
  readonly rawHeaders: readonly string[];
  /** Ends a question to another server that nobody waits for any more; the signal is made when it is asked for. */
  readonly cancellation: { readonly signal: AbortSignal };
}

/**
 * `undefined`: no opinion, ask the next. A throw of StatusError Unauthorized says that a credential was presented and is
 * bad: the request is refused unless another authenticator recognises it.
 */
export type AuthenticationResult = { readonly user: UserInfo; readonly audiences?: readonly string[] } | undefined;

/** One mechanism per file; they are tried in order and the first user wins (spec 5.1). */
export interface Authenticator {
  readonly name: string;
  authenticate(request: AuthenticationRequest): Promise<AuthenticationResult> | AuthenticationResult;
}
