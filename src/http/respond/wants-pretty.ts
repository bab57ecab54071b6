import { isTrue } from '../options/parameters.ts';
import type { Exchange } from '../request/exchange.ts';

/** Programs with which people look at answers by eye, by the start of their user agent. */
const readByEye = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** Whether JSON is to be indented: `pretty` decides, and without it the kind of client. */
export function wantsPretty({ query, request }: Exchange): boolean {
  const text = query.get('pretty');
  if (text !== null) return isTrue(text);
  return readByEye.test(request.headers['user-agent'] ?? '');
}
