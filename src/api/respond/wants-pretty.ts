import { isTrue } from '../options/parameters.ts';
import type { Exchange } from '../request/exchange.ts';

/** User agents of interactive clients. */
const readByEye = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** True if the response is to be indented: `pretty` decides, or the user agent if it is absent. */
export function wantsPretty({ query, request }: Exchange): boolean {
  const text = query.get('pretty');
  if (text !== null) return isTrue(text);
  return readByEye.test(request.headers['user-agent'] ?? '');
}
