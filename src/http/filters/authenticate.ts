import type { AuthenticationRequest, Authenticator } from '../../authn/authenticator.ts';
import { anonymous, type UserInfo } from '../../authn/user-info.ts';
import { badRequest, StatusError } from '../../status/status-error.ts';
import { bearerTokenOf } from '../request/bearer-token.ts';
import { createPeerCertificates } from '../request/peer-certificate.ts';
import type { Filter } from './filter.ts';

interface AuthenticateOptions {
  readonly authenticators: readonly Authenticator[];
  readonly anonymousAuth: boolean;
}

/**
 * Finds out who asks (spec 5.1): authenticators in order, the first user wins. A request with a credential that nobody
 * recognises is 401 and never anonymous.
 */
export function authenticate({ authenticators, anonymousAuth }: AuthenticateOptions): Filter {
  const peerCertificates = createPeerCertificates();
  return async (context, next) => {
    const exchange = context.state;
    const { request, signal } = exchange;
    const authorization = bearerTokenOf(request.rawHeaders);
    if (authorization.kind === 'repeated') throw badRequest('a request may have only one Authorization header');
    const question: AuthenticationRequest = {
      bearerToken: authorization.kind === 'bearer' ? authorization.token : undefined,
      clientCertificate: peerCertificates.of(request),
      rawHeaders: request.rawHeaders,
      signal,
    };
    const answer = await askInOrder(authenticators, question);
    const presented = authorization.kind !== 'none' || answer === 'refused';
    if (answer !== undefined && answer !== 'refused') exchange.user = answer;
    else if (presented || !anonymousAuth) throw new StatusError('Unauthorized', 'Unauthorized');
    else exchange.user = anonymous;
    return next();
  };
}

async function askInOrder(
  authenticators: readonly Authenticator[],
  question: AuthenticationRequest,
): Promise<UserInfo | 'refused' | undefined> {
  let refused = false;
  for (const authenticator of authenticators) {
    try {
      const pending = authenticator.authenticate(question);
      const result = pending instanceof Promise ? await pending : pending;
      if (result) return result.user;
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'Unauthorized') throw error;
      refused = true;
    }
  }
  return refused ? 'refused' : undefined;
}
