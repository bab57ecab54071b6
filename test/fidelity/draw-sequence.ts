import { randomFrom } from '../robustness/random.ts';
import type { Area } from './areas/area.ts';
import type { Sequence } from './sequence.ts';
import type { Subject } from './subjects.ts';

/** A sequence and the kind that it is about. */
export interface DrawnSequence {
  readonly sequence: Sequence;
  readonly subject: Subject;
}

/** An area, and how often it is drawn beside the others. */
export interface WeightedArea {
  readonly area: Area;
  readonly weight: number;
}

/** The sequence of a seed: of one of the areas, about one of the kinds that it takes. */
export function drawSequence(
  seed: number,
  areas: readonly WeightedArea[],
  subjects: readonly Subject[],
): DrawnSequence {
  const random = randomFrom(seed);
  // The first numbers of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 5; skipped++) random.next();
  const area = pickArea(random.next(), areas);
  const subject = random.pick(subjects.filter((each) => area.takes?.(each) ?? true));
  return { sequence: area.draw(random, subject), subject };
}

function pickArea(share: number, areas: readonly WeightedArea[]): Area {
  let left = share * areas.reduce((sum, { weight }) => sum + weight, 0);
  const chosen = areas.find(({ weight }) => (left -= weight) < 0);
  if (!chosen) throw new RangeError('there is no area to draw from');
  return chosen.area;
}
