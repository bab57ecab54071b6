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
  return (context, next) => {
    const exchange = context.state;
    const { request } = exchange;
    const authorization = bearerTokenOf(request.rawHeaders);
    if (authorization.kind === 'repeated') throw badRequest('a request may have only one Authorization header');
    const question: AuthenticationRequest = {
      bearerToken: authorization.kind === 'bearer' ? authorization.token : undefined,
      clientCertificate: peerCertificates.of(request),
      rawHeaders: request.rawHeaders,
      get signal() {
        return exchange.signal;
      },
    };
    const admit = (answer: Answer): Promise<void> => {
      const presented = authorization.kind !== 'none' || answer === 'refused';
      if (answer !== undefined && answer !== 'refused') exchange.user = answer;
      else if (presented || !anonymousAuth) throw new StatusError('Unauthorized', 'Unauthorized');
      else exchange.user = anonymous;
      return next();
    };
    const answer = askInOrder(authenticators, question);
    return answer instanceof Promise ? answer.then(admit) : admit(answer);
  };
}

type Answer = UserInfo | 'refused' | undefined;

/** Most authenticators know at once; then nobody waits for a promise. */
function askInOrder(
  authenticators: readonly Authenticator[],
  question: AuthenticationRequest,
  from = 0,
  refusedBefore = false,
): Answer | Promise<Answer> {
  let refused = refusedBefore;
  for (let index = from; index < authenticators.length; index++) {
    const result = ask(authenticators[index], question);
    if (result instanceof Promise) {
      return result.then((user) => {
        if (user !== undefined && user !== 'refused') return user;
        return askInOrder(authenticators, question, index + 1, refused || user === 'refused');
      });
    }
    if (result === 'refused') refused = true;
    else if (result) return result;
  }
  return refused ? 'refused' : undefined;
}

function ask(authenticator: Authenticator | undefined, question: AuthenticationRequest): Answer | Promise<Answer> {
  try {
    const result = authenticator?.authenticate(question);
    return result instanceof Promise ? result.then((known) => known?.user, refusalOf) : result?.user;
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): 'refused' {
  if (!(error instanceof StatusError) || error.reason !== 'Unauthorized') throw error;
  return 'refused';
}
