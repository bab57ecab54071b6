import { divideSeats } from './divide-seats.ts';
import type { PriorityLevel } from './priority-level.ts';

/** The bounds of the seats of a level. */
interface SeatBounds {
  /** The nominal share of the level. */
  readonly nominal: number;
  /** The seats that are left if other levels borrow all that they may. */
  readonly least: number;
  /** The seats if the level borrows all that it may. */
  readonly most: number;
}

/** The bounds of a level with a share of the seats of the server. */
export function seatBounds(level: PriorityLevel['settings'], nominal: number, allSeats: number): SeatBounds {
  const { lendablePercent = 0, borrowingLimitPercent } = level;
  const lendable = Math.round((nominal * lendablePercent) / 100);
  const borrowed = borrowingLimitPercent === undefined ? allSeats : Math.round((nominal * borrowingLimitPercent) / 100);
  return { nominal, least: nominal - lendable, most: nominal + borrowed };
}

/** A level and its bounds. */
export interface BorrowingLevel {
  readonly level: PriorityLevel;
  readonly bounds: SeatBounds;
}

/**
 * Moves seats that levels do not need to levels that need more (KEP-1040, "Dispatching requests by
 * borrowing"). The exempt level gets the seats that it uses; the others share the rest.
 */
export function adjustSeats(levels: readonly BorrowingLevel[], nowMs: number): void {
  const measured = levels.map((row) => ({ ...row, demand: row.level.endDemandPeriod(nowMs) }));
  const sum = levels.reduce((all, { bounds }) => all + bounds.nominal, 0);
  const exempt = measured.filter(({ level }) => level.settings.exempt);
  const limited = measured
    .filter(({ level }) => !level.settings.exempt)
    .map(({ level, bounds, demand }) => {
      const least = Math.max(bounds.least, Math.min(bounds.nominal, demand.highWatermark));
      return { level, bounds, least, most: bounds.most, wanted: Math.max(least, demand.smoothed) };
    });
  const used = exempt.reduce((all, { bounds, demand }) => all + Math.max(bounds.least, demand.highWatermark), 0);
  const left = sum - used;
  const configured = limited.reduce((all, { bounds }) => all + bounds.least, 0);
  const needed = limited.reduce((all, { least }) => all + least, 0);
  const fraction = left <= configured ? 0 : (left - configured) / (needed - configured);
  const shares = left > needed ? divideSeats(sum, limited) : undefined;
  for (const [index, { level, bounds, least }] of limited.entries()) {
    const scarce = bounds.least + Math.round((least - bounds.least) * fraction);
    const seats = left > needed ? (shares ? Math.round(shares[index] ?? 0) : level.limit) : scarce;
    level.setLimit(seats, nowMs);
  }
}
