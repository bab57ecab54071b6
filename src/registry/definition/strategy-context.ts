import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { UserInfo } from '../../meta/user-info.ts';

/** The part of the request that the hooks of a strategy see. */
export interface StrategyContext {
  readonly identifiers: Identifiers;
  readonly user: UserInfo;
  readonly namespace: string;
  /** Group of the request's URL, '' for the core group. Events are served by two groups. */
  readonly group: string;
  /**
   * Version of the request's URL, for rules that differ between versions (certificates v1 and
   * v1beta1).
   */
  readonly version: string;
  /** Adds a `Warning: 299` header to the response. */
  warn(text: string): void;
}
