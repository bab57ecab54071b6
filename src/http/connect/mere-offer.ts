/** Protocols that some clients offer with every request, and go on without. */
const mereOffers = /^h2c?$|^TLS\//i;

/** Whether the protocols of an `Upgrade` header need no answer. */
export function isMereOffer(upgrade: string): boolean {
  return mereOffers.test(upgrade);
}
