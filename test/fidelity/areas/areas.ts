import type { Area } from './area.ts';
import { borders } from './borders.ts';
import { deletes } from './deletes.ts';
import { heads } from './heads.ts';
import { lists } from './lists.ts';
import { metadata } from './metadata.ts';
import { owners } from './owners.ts';
import { representations } from './representations.ts';
import { schemas } from './schemas.ts';
import { watches } from './watches.ts';
import { writes } from './writes.ts';

/** Every area, by the names that `--areas` takes, and how often each is drawn. */
export const areas: readonly { readonly area: Area; readonly weight: number }[] = [
  { area: writes, weight: 10 },
  { area: borders, weight: 5 },
  { area: lists, weight: 4 },
  { area: metadata, weight: 4 },
  { area: deletes, weight: 4 },
  { area: watches, weight: 3 },
  { area: owners, weight: 2 },
  { area: representations, weight: 1 },
  { area: schemas, weight: 1 },
  { area: heads, weight: 0.3 },
];
