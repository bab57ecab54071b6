/** Protocols that some clients offer with every request, and go on without. */
const mereOffers = /^h2c?$|^TLS\//i;

/** True for an `Upgrade` header whose protocols need no answer. */
export function isMereOffer(upgrade: string): boolean {
  return mereOffers.test(upgrade);
}
