import type { Identifiers } from '../identifiers/identifiers.ts';
import { newestRelease } from '../scheme/api-release.ts';
import { findSchema } from '../scheme/schema-of.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import type { KindInVersion } from './codec.ts';

/** The package of the kinds that exist in every group: options, Status, metadata. */
const metaPackage = 'api.meta.v1';

/** Returns the schema of a built-in kind in a release; undefined for custom kinds. */
export function kindSchema(
  { group, version, kind }: KindInVersion,
  identifiers: Identifiers,
  release: string = newestRelease,
): ObjectSchema | undefined {
  const name = `api.${packageOf(group, identifiers)}.${version}.${kind}`;
  return findSchema(name, release) ?? findSchema(`${metaPackage}.${kind}`, release);
}

/** Returns the proto package of a group: without its domain, with underscores for dots. */
function packageOf(group: string, { apiDomain, flowControlGroup }: Identifiers): string {
  if (group === '') return 'core';
  if (group === flowControlGroup) return 'flowcontrol';
  const domain = `.${apiDomain}`;
  return (group.endsWith(domain) ? group.slice(0, -domain.length) : group).replaceAll('.', '_');
}
