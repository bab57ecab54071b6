import { parseResourceVersion, type ResourceVersion } from '../../meta/resource-version.ts';
import type { FieldError } from '../../status/field-error.ts';
import { forbidden, notSupported } from '../../status/field-error.ts';
import { badRequest, StatusError } from '../../status/status-error.ts';
import type { FreshReadAt, ReadAt, WatchStart } from '../../storage/cache/resource-cache.ts';
import { booleanOf, integerOf, refuseOptions, textOf } from './option-values.ts';
import type { ListFeatures } from '../request/list-features.ts';
import type { Query } from '../../http-protocol/requests/query.ts';

type WellFormed = Exclude<ResourceVersion, { readonly type: 'malformed' }>;

/**
 * A malformed version is refused after all other errors in the options, so that it is kept as its
 * error.
 */
type RequestedVersion = WellFormed | { readonly type: 'malformed'; readonly refusal: StatusError };

/** The parsed but not validated options of list, watch and deletecollection (spec 4.2, group L). */
interface ListOptions {
  readonly resourceVersion: RequestedVersion;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  /** Negative if the watch ends as soon as it has started; undefined for the default. */
  readonly timeoutSeconds: number | undefined;
  /** The parameter `watch`. It is not set in the deprecated watch paths. */
  readonly watch: boolean;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

const exact = 'Exact';
const notOlderThan = 'NotOlderThan';

/** Parses the options of list, watch and deletecollection. Throws 400 for invalid numbers. */
export function parseListOptions(query: Query): ListOptions {
  return {
    resourceVersion: resourceVersionOf(query),
    resourceVersionMatch: textOf(query, 'resourceVersionMatch'),
    limit: Math.max(0, integerOf(query, 'limit') ?? 0),
    continueToken: textOf(query, 'continue'),
    timeoutSeconds: integerOf(query, 'timeoutSeconds') || undefined,
    watch: booleanOf(query, 'watch') ?? false,
    bookmarks: booleanOf(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: booleanOf(query, 'sendInitialEvents'),
  };
}

/**
 * Returns the consistency of a get (spec 4.6): the latest state if resourceVersion is unset, any
 * state for `0`, else a state not older than the version.
 */
export function readAtOfGet(query: Query): ReadAt {
  return notOlder(wellFormed(resourceVersionOf(query)));
}

/**
 * The options of a list that is served whole: without the feature `APIListChunking` a limit and a
 * continue token have no effect (spec 4.5).
 */
export function withoutPages(options: ListOptions): ListOptions {
  return { ...options, limit: 0, continueToken: '' };
}

/** The features of the server, and its API domain, for the rules of options. */
interface OptionRules {
  readonly features: ListFeatures;
  readonly apiDomain: string;
}

/** Throws 422 for a combination of list options that is invalid in the table of spec 4.6. */
export function checkListOptions(options: ListOptions, { features, apiDomain }: OptionRules): void {
  const errors = features.watchLists === 'ungated' ? checkListMatch(options) : checkGatedMatch(options, features);
  refuseOptions(apiDomain, 'ListOptions', errors);
}

/**
 * Returns the consistency of a list, from the table of valid combinations in spec 4.6. Throws 400
 * for a resourceVersion together with a continue token, and for a malformed resourceVersion.
 */
export function readAtOfList(options: ListOptions): ReadAt {
  const { resourceVersionMatch, limit, continueToken } = options;
  if (continueToken) {
    if (options.resourceVersion.type !== 'unset' && options.resourceVersion.type !== 'any') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    return { kind: 'latest' };
  }
  const resourceVersion = wellFormed(options.resourceVersion);
  const pageOfOneRevision = limit > 0 && resourceVersionMatch === '';
  if ((resourceVersionMatch === exact || pageOfOneRevision) && resourceVersion.type === 'revision') {
    return { kind: 'exact', revision: resourceVersion.revision };
  }
  return notOlder(resourceVersion);
}

/** Throws 422 for an invalid combination of watch options. */
export function checkWatchOptions(options: ListOptions, { features, apiDomain }: OptionRules): void {
  const errors = features.watchLists === 'ungated' ? checkWatchMatch(options) : checkGatedMatch(options, features);
  refuseOptions(apiDomain, 'ListOptions', errors);
}

/**
 * Returns the start of a watch: the last row of the table in spec 4.6, and `sendInitialEvents`.
 * Throws 400 for a malformed resourceVersion.
 */
export function watchStartOf(options: ListOptions, features: ListFeatures): WatchStart {
  const { bookmarks } = options;
  const sendInitialEvents = options.sendInitialEvents ?? initialEventsByDefault(options, features);
  const resourceVersion = wellFormed(options.resourceVersion);
  if (sendInitialEvents) {
    return { kind: 'state', at: notOlder(resourceVersion), bookmarkAfterState: bookmarks };
  }
  if (resourceVersion.type === 'tooLarge') return { kind: 'after', revision: Number.MAX_SAFE_INTEGER };
  if (resourceVersion.type === 'revision') return { kind: 'after', revision: resourceVersion.revision };
  const at = notOlder(resourceVersion);
  return sendInitialEvents === false ? { kind: 'now', at } : { kind: 'state', at, bookmarkAfterState: false };
}

/**
 * True if a watch without `sendInitialEvents` is treated as if it were set, because it starts with
 * the present state anyway. The deprecated watch paths have no such default.
 */
function initialEventsByDefault(
  options: ListOptions,
  { watchLists }: Pick<ListFeatures, 'watchLists'>,
): true | undefined {
  const { type } = options.resourceVersion;
  const startsWithState = type === 'unset' || type === 'any';
  const isAsked = options.watch && options.resourceVersionMatch === '';
  return watchLists === 'enabled' && isAsked && startsWithState ? true : undefined;
}

function resourceVersionOf(query: Query): RequestedVersion {
  const text = textOf(query, 'resourceVersion');
  const parsed = parseResourceVersion(text);
  if (parsed.type !== 'malformed') return parsed;
  const shown = JSON.stringify(text.slice(0, shownLimit));
  return { type: 'malformed', refusal: badRequest(`resourceVersion: Invalid value: ${shown}: ${parsed.message}`) };
}

function wellFormed(resourceVersion: RequestedVersion): WellFormed {
  if (resourceVersion.type === 'malformed') throw resourceVersion.refusal;
  return resourceVersion;
}

/** Longer malformed versions are shortened to this number of characters in messages. */
const shownLimit = 64;

function notOlder(resourceVersion: WellFormed): FreshReadAt {
  if (resourceVersion.type === 'unset') return { kind: 'latest' };
  if (resourceVersion.type === 'any') return { kind: 'any' };
  if (resourceVersion.type === 'tooLarge') throw tooLargeResourceVersion();
  return { kind: 'notOlderThan', revision: resourceVersion.revision };
}

/**
 * Returns the 504 for a version that no store can reach. Clients check the cause and
 * retryAfterSeconds.
 */
function tooLargeResourceVersion(): StatusError {
  const message = 'Too large resource version';
  return new StatusError('Timeout', `Timeout: ${message}`, {
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message }], retryAfterSeconds: 1 },
  });
}

const match = 'resourceVersionMatch';
const matches = [exact, notOlderThan];

const forbiddenForList = forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
const forbiddenWithContinue = forbidden(match, 'resourceVersionMatch is forbidden when continue is provided');

function checkListMatch(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (options.sendInitialEvents !== undefined) errors.push(forbiddenForList);
  if (options.resourceVersionMatch === '') return errors;
  // Set in a watch, and in a DELETE, which ignores it otherwise.
  if (options.watch) errors.push(forbidden(match, 'resourceVersionMatch is forbidden for watch'));
  if (options.resourceVersion.type === 'unset') {
    errors.push(forbidden(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if (options.continueToken) errors.push(forbiddenWithContinue);
  if (!matches.includes(options.resourceVersionMatch)) {
    errors.push(notSupported(match, options.resourceVersionMatch, [...matches, '']));
  }
  if (options.resourceVersionMatch === exact && options.resourceVersion.type === 'any') {
    errors.push(forbidden(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

function checkWatchMatch(options: ListOptions): FieldError[] {
  if (options.sendInitialEvents === undefined) return checkListMatch(options);
  const given = options.resourceVersionMatch;
  const errors: FieldError[] = [];
  if (given !== notOlderThan) {
    errors.push(forbidden(match, `sendInitialEvents requires setting resourceVersionMatch to ${notOlderThan}`));
    if (given !== '') errors.push(notSupported(match, given, [notOlderThan]));
  }
  if (options.continueToken) errors.push(forbiddenWithContinue);
  return errors;
}

/** The rules since release 1.27, for watches and for lists. */
function checkGatedMatch(options: ListOptions, { watchLists }: ListFeatures): FieldError[] {
  return options.watch ? checkMatchOfWatch(options, watchLists === 'enabled') : checkMatchOfList(options);
}

function checkMatchOfWatch(asked: ListOptions, isEnabled: boolean): FieldError[] {
  const isDefault =
    asked.sendInitialEvents === undefined &&
    initialEventsByDefault(asked, { watchLists: isEnabled ? 'enabled' : 'disabled' });
  const options = isDefault ? { ...asked, resourceVersionMatch: notOlderThan, sendInitialEvents: true } : asked;
  const { resourceVersionMatch: given, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    if (given !== notOlderThan) {
      errors.push(forbidden(match, `sendInitialEvents requires setting resourceVersionMatch to ${notOlderThan}`));
    }
    if (!isEnabled) {
      const text = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
      errors.push(forbidden('sendInitialEvents', text));
    }
  }
  if (given === '') return errors;
  if (sendInitialEvents === undefined) {
    errors.push(forbidden(match, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  }
  if (given !== notOlderThan) errors.push(notSupported(match, given, [notOlderThan]));
  if (options.continueToken) errors.push(forbiddenWithContinue);
  return errors;
}

function checkMatchOfList(options: ListOptions): FieldError[] {
  const errors = checkListMatch({ ...options, sendInitialEvents: undefined, watch: false });
  return options.sendInitialEvents === undefined ? errors : [...errors, forbiddenForList];
}
