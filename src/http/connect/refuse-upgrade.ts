import { badRequest } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { isMereOffer } from './mere-offer.ts';

/**
 * Throws 400 for an upgrade of a path without upgrades. The connection is closed, because the
 * client may already have sent bytes of the other protocol (CVE-2018-1002105).
 */
export function refuseUpgrade({ request, response }: Exchange): void {
  const { upgrade } = request.headers;
  if (upgrade === undefined || request.httpVersionMajor !== 1 || isMereOffer(upgrade)) return;
  response.setHeader('Connection', 'close');
  throw badRequest('this server does not upgrade connections to another protocol');
}
