/** A state of one object: what it was at the revision that made it. */
export interface Version {
  /** `namespace/name` */
  readonly key: string;
  readonly revision: number;
  readonly uid: string;
  /** Hash of everything but kind, apiVersion and resourceVersion. */
  readonly body: string;
  /** The label that selectors of the traffic look at. */
  readonly color: string;
  /** The mark of the write that made it; every write has another one. */
  readonly mark: string;
}

/** What a client may ask of a collection: all or one namespace, one object of it, one color. '' stands for any. */
export interface Scope {
  readonly namespace: string;
  readonly name: string;
  readonly color: string;
}

/** How fresh a read has to be. */
export type Freshness =
  | { readonly kind: 'latest' }
  | { readonly kind: 'any' }
  | { readonly kind: 'notOlderThan'; readonly revision: number }
  | { readonly kind: 'exact'; readonly revision: number }
  /** A revision that nobody has written yet. */
  | { readonly kind: 'tooNew' };

/** What a list answered, all its pages together. */
export interface ListResponse {
  /** Of each page; all must be the same. */
  readonly revisions: readonly number[];
  readonly items: readonly Version[];
  /** Objects behind each page as the server said it; undefined where it did not. */
  readonly remaining: readonly (number | undefined)[];
  readonly pageSizes: readonly number[];
}

/** One request from its call to its return, in nanoseconds of one monotonic clock. */
export interface Operation {
  readonly client: string;
  readonly verb: 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'get' | 'list' | 'dryRun';
  /** For lists: '' */
  readonly key: string;
  readonly call: number;
  readonly return: number;
  /** `ok`: it was answered with success; `refused`: it surely had no effect; `unknown`: it may have had. */
  readonly outcome: 'ok' | 'refused' | 'unknown';
  readonly status: number;
  /** Reason of the Status, or what broke. */
  readonly reason: string;
  /** The resourceVersion that the write demanded; 0 for none. */
  readonly precondition: number;
  /** The uid that a deletion demanded; '' for none. */
  readonly uid: string;
  /** The mark that a write carries. */
  readonly mark: string;
  /** The mark that the object had to carry; '' for any. */
  readonly demandedMark: string;
  readonly freshness: Freshness;
  /** What a get, create, update or patch answered; for a deletion, what its Status named (revision 0). */
  readonly object: Version | undefined;
  readonly scope: Scope;
  readonly list: ListResponse | undefined;
  /** The revision of the pages that came before an expired one, and whether a token to go on with came along. */
  readonly expired: { readonly revision: number; readonly token: boolean } | undefined;
  /** Whether a 504 named ResourceVersionTooLarge as its cause and said when to try again. */
  readonly saysTooLarge: boolean;
}

/** One document of a watch. */
export interface WatchDocument {
  /** When it was read. */
  readonly at: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly revision: number;
  /** Undefined for a bookmark. */
  readonly version: Version | undefined;
  readonly endsInitialState: boolean;
}

/** Where a watch begins. */
export type WatchStart =
  | { readonly kind: 'after'; readonly revision: number }
  | { readonly kind: 'state'; readonly linearizable: boolean; readonly marksItsEnd: boolean };

/** One watch from its call to its end. */
export interface WatchRecord {
  readonly client: string;
  readonly scope: Scope;
  readonly start: WatchStart;
  readonly bookmarks: boolean;
  readonly call: number;
  /** 0 where no answer came. */
  status: number;
  /** Whether the client ended it. */
  cut: boolean;
  readonly documents: WatchDocument[];
  /** The code of the ERROR document that ended it; 0 for none. */
  errorCode: number;
  /** Set for a watch that was open at the end: it must have told everything up to here. */
  mustReach: number;
}

/** One reflector: a list, and watches that each begin where the one before ended. */
export interface Reflection {
  readonly list: Operation;
  readonly watches: WatchRecord[];
}

/** All that the clients saw. */
export interface History {
  readonly operations: Operation[];
  readonly watches: WatchRecord[];
  readonly reflections: Reflection[];
  /** History before this revision was taken away; 0 for none. */
  compactedTo: number;
  /** Whether the fault makes errors (5xx, 429, broken connections) legitimate. */
  readonly errorsExpected: boolean;
}

/** A promise that was broken. */
export interface Finding {
  /** The number of the promise. */
  readonly promise: string;
  readonly message: string;
}

/** Anything. */
export const everything: Scope = Object.freeze({ namespace: '', name: '', color: '' });

/** What an operation has that is not said of it. */
export const unsaid = Object.freeze({
  key: '',
  reason: '',
  precondition: 0,
  uid: '',
  mark: '',
  demandedMark: '',
  freshness: { kind: 'latest' },
  object: undefined,
  scope: everything,
  list: undefined,
  expired: undefined,
  saysTooLarge: false,
} as const satisfies Partial<Operation>);

/** A history before anything happened. */
export function emptyHistory(errorsExpected = false): History {
  return { operations: [], watches: [], reflections: [], compactedTo: 0, errorsExpected };
}

/** Whether a scope covers a version. */
export function covers(scope: Scope, version: Version): boolean {
  return coversKey(scope, version.key) && (scope.color === '' || scope.color === version.color);
}

/** Whether a scope covers a key, whatever its object is. */
export function coversKey({ namespace, name }: Scope, key: string): boolean {
  const [ofNamespace, ofName] = key.split('/');
  return (namespace === '' || namespace === ofNamespace) && (name === '' || name === ofName);
}
