/** Protocols that some clients offer with every request, without requiring the upgrade. */
const mereOffers = /^h2c?$|^TLS\//i;

/** True for an `Upgrade` header with an optional protocol, which may be ignored. */
export function isMereOffer(upgrade: string): boolean {
  return mereOffers.test(upgrade);
}
