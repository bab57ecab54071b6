/** The claim of a level to seats. */
interface SeatClaim {
  /** The seats that the level keeps in any case. */
  readonly least: number;
  /** The most seats that the level may have, borrowed ones included. */
  readonly most: number;
  /** The seats that the level needs; at least `least`. */
  readonly wanted: number;
}

/** The demand that counts in place of 0, so that idle levels get a part of the free seats too. */
const leastWanted = 0.001;

/** How often the interval of the factor is halved; then it is smaller than a rounding error. */
const halvings = 64;

/**
 * Divides seats among levels: each gets the same fraction of the seats that it wants, within its
 * bounds. Undefined if the bounds do not allow the sum.
 */
export function divideSeats(sum: number, claims: readonly SeatClaim[]): readonly number[] | undefined {
  const total = (seats: (claim: SeatClaim) => number): number => claims.reduce((all, one) => all + seats(one), 0);
  if (total(({ least }) => least) > sum || total(({ most }) => most) < sum) return undefined;
  const share = (fraction: number) => (claim: SeatClaim) =>
    Math.min(claim.most, Math.max(claim.least, fraction * Math.max(claim.wanted, leastWanted)));
  let low = 0;
  let high = Math.max(0, ...claims.map(({ most, wanted }) => most / Math.max(wanted, leastWanted)));
  for (let left = halvings; left > 0; left--) {
    const middle = (low + high) / 2;
    if (total(share(middle)) < sum) low = middle;
    else high = middle;
  }
  return claims.map(share(high));
}
