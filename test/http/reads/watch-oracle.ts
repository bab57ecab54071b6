/** What a watch must answer, from the specification (4.6, watch), reference wire ("Watch") and promises B43, B46, B47, P14. */
import { type Expected, malformed, type Match, whyInvalidMatch } from './list-oracle.ts';

/** How a resourceVersion is given; `near` is two writes ahead of the store, `far` is never reached. */
export const watchVersions = ['unset', 'zero', 'past', 'current', 'near', 'far', 'huge', 'malformed'] as const;
export type WatchVersion = (typeof watchVersions)[number];

export const initialEvents = ['unset', 'true', 'false'] as const;
export type InitialEvents = (typeof initialEvents)[number];

/** One cell of the table. */
export interface WatchCell {
  readonly version: WatchVersion;
  readonly match: Match;
  readonly sendInitialEvents: InitialEvents;
  /** The watch has a path of its own instead of the parameter `watch`. */
  readonly deprecated: boolean;
}

/** What the watch must tell: where it starts, and whether the state comes first. */
export interface ExpectedWatch {
  readonly kind: 'watch';
  readonly state: boolean;
  /** The changes after this are told; `present` is whatever is newest when the watch begins. */
  readonly after: 'present' | Exclude<WatchVersion, 'unset' | 'zero' | 'malformed'>;
}

type Refusal = Extract<Expected, { readonly kind: 'refused' }>;

/** What a watch in a cell must answer. A watch by its deprecated path has the options of a list. */
export function expectedOfWatch(cell: WatchCell): ExpectedWatch | Refusal {
  const { version, sendInitialEvents } = cell;
  const messages = whyInvalid(cell);
  if (messages.length > 0) return { kind: 'refused', status: 422, reason: 'Invalid', messages };
  if (version === 'malformed' && malformed.kind === 'refused') return malformed;
  const number = version !== 'unset' && version !== 'zero' && version !== 'malformed';
  if (sendInitialEvents === 'true') {
    const reached = version === 'past' || version === 'current' || !number;
    return reached ? { kind: 'watch', state: true, after: 'present' } : tooLarge;
  }
  if (number) return { kind: 'watch', state: false, after: version };
  return { kind: 'watch', state: sendInitialEvents === 'unset', after: 'present' };
}

/** The state that was asked for does not come in time. */
const tooLarge: Refusal = {
  kind: 'refused',
  status: 504,
  reason: 'Timeout',
  messages: [/^Timeout: Too large resource version/],
};

function whyInvalid({ version, match, sendInitialEvents, deprecated }: WatchCell): RegExp[] {
  if (sendInitialEvents === 'unset') {
    if (match === 'unset') return [];
    const forbidden = /resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch/;
    return [...(deprecated ? [] : [forbidden]), ...whyInvalidMatch({ version, match, continue: 'none' })];
  }
  if (match === 'NotOlderThan') return [];
  const required = /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/;
  return match === 'unset' ? [required] : [required, /Unsupported value: "\w+": supported values: "NotOlderThan"/];
}
