import type { AuthenticationRequest, Authenticator } from '../../authn/authenticator.ts';
import { authenticate as findUser } from '../../authn/union.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import { pathReader } from '../../authz/always-allow-paths.ts';
import { badRequest } from '../../status/status-error.ts';
import { bearerTokenOf } from '../request/bearer-token.ts';
import type { Exchange } from '../request/exchange.ts';
import { createPeerCertificates } from '../request/peer-certificate.ts';
import type { Filter } from './filter.ts';

interface AuthenticateOptions {
  readonly authenticators: readonly Authenticator[];
  readonly anonymousAuth: boolean;
  readonly publicPaths?: readonly string[];
}

/**
 * Finds the user of a request (spec 5.1): authenticators in order, the first user wins. A request with a credential that no
 * authenticator recognises is 401 and never anonymous. One without a credential is anonymous where anonymous requests
 * are on or it reads a public path, else 401.
 */
export function authenticate({ authenticators, anonymousAuth, publicPaths = [] }: AuthenticateOptions): Filter {
  const peerCertificates = createPeerCertificates();
  const readsPublicPath = pathReader(publicPaths);
  const admitsAnonymous = ({ path, verb }: Exchange): boolean =>
    anonymousAuth || readsPublicPath({ resourceRequest: path.target !== undefined, verb, path: path.decoded });
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
    const refuse = (error: unknown): never => {
      endSession(exchange);
      throw error;
    };
    const anonymous = authorization.kind === 'none' && admitsAnonymous(exchange);
    try {
      const user = findUser(authenticators, question, { anonymous });
      return user instanceof Promise ? user.then(admit).catch(refuse) : admit(user);
    } catch (error) {
      return refuse(error);
    }
  };
}

/**
 * Has a session of HTTP/2 end with a request whose identity is refused, as kube-apiserver does: the protocol lets one client
 * cause much work at little cost (CVE-2023-44487), and a connection each keeps that to what HTTP/1.1 allows.
 */
function endSession(exchange: Exchange): void {
  // A stream that is closed has lost its session.
  const session = exchange.response.stream?.session;
  if (session) exchange.onEnd(() => session.close());
}
