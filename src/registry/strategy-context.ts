import type { Identifiers } from '../identifiers/identifiers.ts';
import type { UserInfo } from '../meta/user-info.ts';

/** What the hooks of a strategy may know about the request. */
export interface StrategyContext {
  readonly identifiers: Identifiers;
  readonly user: UserInfo;
  readonly namespace: string;
  /** The group that the request speaks, '' for the core group: events are served by two. */
  readonly group: string;
  /** The version that the request speaks; rules differ by version where the API says so (certificates v1 and v1beta1). */
  readonly version: string;
  /** Shown to the client as a `Warning: 299` header. */
  warn(text: string): void;
}
