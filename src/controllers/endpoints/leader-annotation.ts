import type { Identifiers } from '../../identifiers/identifiers.ts';

/**
 * The annotation of Endpoints in which the leaders of elections are recorded. They belong to no
 * Service, and are written several times a minute.
 */
export function leaderAnnotation({ labelDomain }: Identifiers): string {
  return `control-plane.alpha.${labelDomain}/leader`;
}
