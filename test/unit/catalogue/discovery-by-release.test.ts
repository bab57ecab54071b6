import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { cataloguedGroups } from '../../../src/api/discovery/discovered-groups.ts';
import { discoveryDocuments } from '../../../src/api/discovery/discovery-documents.ts';
import { connectSubresources } from '../../../src/catalogue/connect-subresources.ts';
import { builtInCatalogue, builtInDefinitions } from '../../../src/catalogue/definitions.ts';
import { servedApiOf } from '../../../src/config/served-api.ts';
import { jsonCodec } from '../../../src/codec/json-codec.ts';
import { defaultServerOptions } from '../../../src/config/server-options.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { type ApiRelease, apiReleases, isSince } from '../../../src/scheme/api-release.ts';

/**
 * Rows of the table that this server does not serve: kinds of alpha versions that Kubernetes gave
 * up, of which no object can be read by a later release.
 */
const missing: readonly RegExp[] = [
  // Dynamic resource allocation before its structured parameters, and other designs that were given up.
  / resource\.k8s\.io\/v1alpha[12] /,
  / resource\.k8s\.io\/v1alpha3 podschedulingcontexts /,
  / networking\.k8s\.io\/v1alpha1 clustercidrs /,
];

/** Rows that this server serves beyond the table. */
const more: readonly RegExp[] = [
  // `kubectl auth whoami` of later releases needs it.
  /^1\.2[4-7] authentication\.k8s\.io\/v1 selfsubjectreviews /,
];

/** A line of the table: a resource in a version, with `off` and `?` at what is off by default. */
type ResourceRow = string;

const lines = readFileSync(new URL('../../../../test/golden/discovery-by-release.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

/** The rows of each release; the file has what changes from one to the next. */
function tableOf(): ReadonlyMap<string, ReadonlySet<ResourceRow>> {
  const tables = new Map<string, Set<ResourceRow>>();
  let current = new Set<ResourceRow>();
  for (const line of lines) {
    if (line.startsWith('# ')) tables.set(line.slice(2), (current = new Set(current)));
    else if (line.startsWith('+ ')) current.add(line.slice(2));
    else assert.ok(current.delete(line.slice(2)), line);
  }
  return tables;
}

const onByDefault = (row: ResourceRow): ResourceRow[] =>
  row.endsWith(' off') ? [] : [row.replaceAll(/ \+\S+\?/g, '')];

const withEverything = (row: ResourceRow): ResourceRow => row.replace(/ off$/, '').replaceAll('?', '');

interface Kind {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
}

interface Discovered {
  readonly resource: string;
  readonly responseKind: Kind;
  readonly scope: string;
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { subresource: string; responseKind: Kind; verbs: readonly string[] }[];
}

interface Aggregated {
  readonly items: { metadata: { name: string }; versions: { version: string; resources: readonly Discovered[] }[] }[];
}

interface Legacy {
  readonly resources: readonly {
    readonly name: string;
    readonly singularName: string;
    readonly namespaced: boolean;
    readonly kind: string;
    readonly group?: string;
    readonly version?: string;
    readonly verbs: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

const allVerbs = 'create,delete,deletecollection,get,list,patch,update,watch';

function rowOf(version: string, one: Discovered): ResourceRow {
  const verbs = one.verbs.toSorted().join(',');
  const parts = [
    version,
    one.resource,
    one.responseKind.kind,
    one.singularResource,
    one.scope === 'Namespaced' ? 'namespaced' : 'cluster',
    verbs === allVerbs ? '*' : verbs,
    ...(one.shortNames ? [`short=${one.shortNames.join(',')}`] : []),
    ...(one.categories ? [`categories=${one.categories.join(',')}`] : []),
  ];
  const subresources = (one.subresources ?? []).map(({ subresource, responseKind, verbs: own }) => {
    const shown = versionOf(responseKind) || version;
    const isOwn = shown === version && responseKind.kind === one.responseKind.kind;
    const list = own.toSorted().join(',');
    const kind = isOwn ? '' : `:${shown}/${responseKind.kind}`;
    return `+${subresource}${kind}${list === 'get,patch,update' ? '' : `(${list})`}`;
  });
  return [...parts, ...subresources.toSorted()].join(' ');
}

const versionOf = ({ group, version }: Kind): string => [group, version].filter(Boolean).join('/');

function documentsOf(release: ApiRelease, everything: boolean) {
  const identifiers = identifiersOf('kubernetes');
  const options = {
    ...defaultServerOptions,
    identifiers: 'kubernetes',
    emulatedRelease: release,
    ...(everything ? { runtimeConfig: ['api/all=true'], featureGates: ['AllAlpha=true', 'AllBeta=true'] } : {}),
  } as const;
  const catalogue = builtInCatalogue(identifiers, servedApiOf(options, builtInDefinitions(identifiers))).current;
  const groups = cataloguedGroups(catalogue);
  const remotes = new Map();
  return {
    catalogue,
    documents: discoveryDocuments(catalogue, {
      identifiers,
      connects: connectSubresources,
      groups,
      remotes,
      writesNoCreation: false,
    }),
  };
}

function aggregatedRows({ documents }: ReturnType<typeof documentsOf>): readonly ResourceRow[] {
  const items = [true, false].flatMap(
    (core) => (JSON.parse(documents.aggregated('v2', core).in(jsonCodec).body.toString()) as Aggregated).items,
  );
  return items.flatMap(({ metadata: { name: group }, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map((one) => rowOf(versionOf({ group, version, kind: '' }), one)),
    ),
  );
}

function legacyRows({ catalogue, documents }: ReturnType<typeof documentsOf>): readonly ResourceRow[] {
  return catalogue.groups.flatMap(({ group, versions }) =>
    versions.flatMap((version) => {
      const { resources } = JSON.parse(documents.resources(group, version)?.body.toString() ?? '{}') as Legacy;
      const whole = resources.filter(({ name }) => !name.includes('/'));
      return whole.map(({ name, kind, namespaced, singularName, ...rest }) => {
        const parts = resources.filter((part) => part.name.startsWith(`${name}/`));
        return rowOf(versionOf({ group, version, kind }), {
          ...rest,
          resource: name,
          responseKind: { kind },
          scope: namespaced ? 'Namespaced' : 'Cluster',
          singularResource: singularName,
          subresources: parts.map((part) => ({
            subresource: part.name.slice(name.length + 1),
            responseKind: part,
            verbs: part.verbs,
          })),
        });
      });
    }),
  );
}

describe('discovery by release', () => {
  const seen = new Set<RegExp>();
  const compare = (release: string, expected: readonly ResourceRow[], rows: readonly ResourceRow[]): void => {
    const [left, right] = [new Set(expected), new Set(rows)];
    const known = (list: readonly RegExp[], row: ResourceRow): boolean => {
      const found = list.filter((pattern) => pattern.test(`${release} ${row}`));
      for (const pattern of found) seen.add(pattern);
      return found.length > 0;
    };
    assert.deepEqual(
      {
        lacks: expected.filter((row) => !right.has(row) && !known(missing, row)).toSorted(),
        has: rows.filter((row) => !left.has(row) && !known(more, row)).toSorted(),
      },
      { lacks: [], has: [] },
      release,
    );
  };

  for (const release of apiReleases.filter((one) => isSince(one, '1.24'))) {
    for (const everything of [false, true]) {
      it(`of ${release} is that of kube-apiserver ${everything ? 'with all versions and features' : 'by default'}`, () => {
        const table = [...(tableOf().get(release) ?? [])];
        const expected = everything ? table.map(withEverything) : table.flatMap(onByDefault);
        const documents = documentsOf(release, everything);
        compare(release, expected, aggregatedRows(documents));
        compare(release, expected, legacyRows(documents));
      });
    }
  }

  it('warns of the deprecated versions of each release as kube-apiserver does', () => {
    const file = new URL('../../../../test/golden/deprecations-by-release.txt', import.meta.url);
    const releases = new Map<string, ApiRelease[]>();
    for (const release of apiReleases.filter((one) => isSince(one, '1.24'))) {
      const { resources } = documentsOf(release, true).catalogue;
      const warnings = resources.flatMap(({ versions }) => versions.flatMap(({ warning }) => warning ?? []));
      for (const text of warnings) releases.set(text, [...(releases.get(text) ?? []), release]);
    }
    const sentences = [...releases].map(([text, found]) => `${text}: ${found.join(' ')}`).toSorted();
    const text = sentences.join('\n').concat('\n');
    if (process.env['UPDATE_GOLDEN']) writeFileSync(file, text);
    assert.equal(text, readFileSync(file, 'utf8'));
  });

  it('has no difference that is listed and gone', () => {
    assert.deepEqual(
      [...missing, ...more].filter((pattern) => !seen.has(pattern)),
      [],
    );
  });
});
