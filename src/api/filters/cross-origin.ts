import type { Exchange } from '../request/exchange.ts';
import { Responded } from '../../http-protocol/requests/http-exchange.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';
import { isAllowedOrigin } from './cors-origins.ts';
import type { Filter } from './filter.ts';

const methods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const requestHeaders =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

const noBody = Buffer.alloc(0);

/**
 * Lets web pages of the given origins send requests with credentials (the CORS protocol of the
 * Fetch standard, `--cors-allowed-origins`). A preflight request has no credentials and is answered
 * here, before authentication. Requests of other origins are served without the headers that let a
 * page read the response.
 */
export function crossOrigin(origins: readonly RegExp[]): Filter {
  return (exchange) => {
    const { origin } = exchange.request.headers;
    if (typeof origin !== 'string' || origin === '') return;
    exchange.addHeader('Vary', 'Origin');
    if (!isAllowedOrigin(origins, origin)) return;
    exchange.addHeader('Access-Control-Allow-Origin', origin);
    exchange.addHeader('Access-Control-Allow-Methods', methods);
    exchange.addHeader('Access-Control-Allow-Headers', requestHeaders);
    exchange.addHeader('Access-Control-Expose-Headers', 'Date');
    exchange.addHeader('Access-Control-Allow-Credentials', 'true');
    if (exchange.request.method === 'OPTIONS') answerPreflight(exchange);
  };
}

function answerPreflight(exchange: Exchange): never {
  sendAsItIs(exchange, { status: 204, contentType: undefined, body: noBody });
  throw new Responded();
}
