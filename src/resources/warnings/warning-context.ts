import type { EmulatedRelease } from '../../scheme/emulated-release.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { isSince } from '../../scheme/api-release.ts';

/** The release that decides about warnings and their texts, and the identifiers in them. */
export interface WarningRelease extends Pick<EmulatedRelease, 'release' | 'isFeatureEnabled'> {
  readonly identifiers: Identifiers;
}

/** True if the emulated release has a warning, or a text of it, that was added in a release. */
export function warnsSince({ release }: WarningRelease, since: string): boolean {
  return isSince(release, since);
}

/** Replaces the placeholders of domains, `{label}` and `{api}`. */
export function withDomains(text: string, { identifiers }: WarningRelease): string {
  return text.replaceAll('{label}', identifiers.labelDomain).replaceAll('{api}', identifiers.apiDomain);
}
