import { endpointAddress } from '../../etcd/endpoint.ts';
import { type FlagType, FlagValueError } from '../../flags/flag-types.ts';

/** A resource that is stored in another etcd. */
export interface EtcdOverride {
  /** The full name of the group; '' for core. */
  readonly group: string;
  readonly resource: string;
  readonly servers: readonly string[];
}

const form = 'use <group>/<resource>#<URL>;<URL>';

/** Overrides as kube-apiserver has them: `/events#http://a:2379;http://b:2379,apps/jobs#…`. */
export const etcdOverrides: FlagType<readonly EtcdOverride[]> = {
  placeholder: 'overrides',
  parse: (given) =>
    given
      .split(',')
      .filter((text) => text.trim() !== '')
      .map((text) => overrideOf(text.trim())),
  format: (overrides) =>
    overrides.map(({ group, resource, servers }) => `${group}/${resource}#${servers.join(';')}`).join(','),
  join: (lists) => lists.flat(),
};

function overrideOf(text: string): EtcdOverride {
  const [, group = '', resource = '', urls = ''] = /^([a-z0-9.-]*)\/([a-z0-9-]+)#(.+)$/.exec(text) ?? [];
  if (resource === '') throw new FlagValueError(form);
  const servers = urls.split(';');
  const wrong = servers.find((url) => endpointAddress(url) === undefined);
  if (wrong !== undefined) throw new FlagValueError(`${form}; ${wrong} is not http://host:port or https://host:port`);
  return { group, resource, servers };
}

/** The message about overrides of unknown or repeated resources; undefined if there is no error. */
export function overridesError(
  overrides: readonly EtcdOverride[],
  known: readonly { readonly group: string; readonly resource: string }[],
): string | undefined {
  const names = overrides.map(({ group, resource }) => `${group}/${resource}`);
  const unknown = overrides.find(
    (one) => !known.some(({ group, resource }) => group === one.group && resource === one.resource),
  );
  if (unknown) return `--etcd-servers-overrides: ${unknown.group}/${unknown.resource} is no stored built-in resource`;
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  return repeated === undefined ? undefined : `--etcd-servers-overrides: ${repeated} has two overrides`;
}
