import type { AuthenticationRequest, Authenticator } from '../../authn/authenticator.ts';
import { authenticate as findUser } from '../../authn/union.ts';
import type { UserInfo } from '../../authn/user-info.ts';
import { badRequest } from '../../status/status-error.ts';
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
  return (exchange) => {
    const { request } = exchange;
    const authorization = bearerTokenOf(request.rawHeaders);
    if (authorization.kind === 'repeated') throw badRequest('a request may have only one Authorization header');
    const question: AuthenticationRequest = {
      bearerToken: authorization.kind === 'bearer' ? authorization.token : undefined,
      clientCertificate: peerCertificates.of(request),
      rawHeaders: request.rawHeaders,
      cancellation: exchange,
    };
    const admit = (user: UserInfo): void => {
      exchange.user = user;
    };
    const anonymous = anonymousAuth && authorization.kind === 'none';
    const user = findUser(authenticators, question, { anonymous });
    return user instanceof Promise ? user.then(admit) : admit(user);
  };
}
