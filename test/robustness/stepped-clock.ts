// Loaded into a server before everything else (`--import`): its wall clock is wrong by the milliseconds in the file that
// $STEPPED_CLOCK names. Clocks that only go forward, as those of timers, stay as they are.
import { readFileSync } from 'node:fs';

const file = process.env['STEPPED_CLOCK'] ?? '';
const readMs = 50;
const RealDate = Date;
let offsetMs = 0;

function readOffset(): void {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offsetMs = 0;
  }
}

class SteppedDate extends RealDate {
  constructor(...args: readonly unknown[]) {
    if (args.length === 0) super(RealDate.now() + offsetMs);
    else super(...(args as [number]));
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

readOffset();
setInterval(readOffset, readMs).unref();
globalThis.Date = SteppedDate as DateConstructor;
