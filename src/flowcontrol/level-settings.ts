import type { JsonObject } from '../meta/json-value.ts';
import { nameOf, uidOf } from '../meta/object-meta.ts';
import { isSet, numberAt, objectAt, stringAt } from '../meta/read-field.ts';

/** The settings of a priority level. */
export interface LevelSettings {
  readonly name: string;
  readonly uid: string;
  /** True if requests of the level are never limited. */
  readonly exempt: boolean;
  /** The share of the server's seats, relative to the shares of the other levels. */
  readonly shares: number;
  /** The percent of the share that other levels may borrow, since 1.26. Absent: 0. */
  readonly lendablePercent?: number | undefined;
  /** The limit of the seats that the level borrows, in percent of its share. Absent: no limit. */
  readonly borrowingLimitPercent?: number | undefined;
  /** The number of queues for requests without a seat; 0: they are rejected. */
  readonly queues: number;
  /** The number of queues that one flow can use. */
  readonly handSize: number;
  /** The number of requests that can wait in a queue. */
  readonly queueLengthLimit: number;
}

/** Reads the settings of a PriorityLevelConfiguration of any version. */
export function readLevelSettings(level: JsonObject): LevelSettings {
  const spec = objectAt(level, 'spec');
  const limited = objectAt(spec, 'limited');
  const exempt = stringAt(spec, 'type') === 'Exempt';
  const common = exempt ? objectAt(spec, 'exempt') : limited;
  const response = objectAt(limited, 'limitResponse');
  const queuing = objectAt(response, 'queuing');
  const queues = stringAt(response, 'type') === 'Queue' && isSet(response, 'queuing') ? numberAt(queuing, 'queues') : 0;
  return {
    name: nameOf(level),
    uid: uidOf(level),
    exempt,
    shares: numberAt(limited, 'assuredConcurrencyShares') ?? numberAt(common, 'nominalConcurrencyShares') ?? 0,
    lendablePercent: numberAt(common, 'lendablePercent'),
    borrowingLimitPercent: numberAt(limited, 'borrowingLimitPercent'),
    queues: queues ?? 0,
    handSize: numberAt(queuing, 'handSize') ?? 1,
    queueLengthLimit: numberAt(queuing, 'queueLengthLimit') ?? 0,
  };
}
