import { isJsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import type { ApiTarget } from './api-target.ts';
import { textAt } from './json-paths.ts';
import { type OpenApi, withKnownFields } from './known-fields.ts';
import type { Servers } from './run-sequence.ts';
import { allSubjects, type Subject } from './subjects.ts';

/** The kinds that both servers serve, with the fields that the reference knows. */
export async function servedSubjects({ reference, ours }: Servers): Promise<readonly Subject[]> {
  const openApi = await read(reference, '/openapi/v2');
  const served = await Promise.all([reference, ours].map(servedPaths));
  return allSubjects()
    .filter((subject) => served.every((paths) => paths.has(pathOf(subject))))
    .map((subject) => {
      const { group, kind } = subject.info;
      const of = { group, version: subject.version.version, kind };
      // Only the members that the type names are read, and each is checked where it is.
      return { ...subject, schema: withKnownFields(subject.schema, openApi as OpenApi, of) };
    });
}

/** The minor version of the release that a server speaks for. */
export async function releaseOf(target: ApiTarget): Promise<number> {
  return Number.parseInt(textAt(await read(target, '/version'), ['minor']), 10);
}

function pathOf({ apiVersion, info }: Subject): string {
  return `${apiVersion}/${info.resource}`;
}

/** `apps/v1/deployments` for each resource in discovery. */
async function servedPaths(target: ApiTarget): Promise<ReadonlySet<string>> {
  const groups = await read(target, '/apis');
  const known = new Set(allSubjects().map(({ apiVersion }) => apiVersion));
  const versions = list(groups, 'groups')
    .flatMap((group) => list(group, 'versions').map((each) => textAt(each, ['groupVersion'])))
    .filter((version) => known.has(version));
  const lists = await Promise.all(
    ['v1', ...versions].map(async (version) => {
      const resources = await read(target, version === 'v1' ? '/api/v1' : `/apis/${version}`);
      return list(resources, 'resources').map((each) => `${version}/${textAt(each, ['name'])}`);
    }),
  );
  return new Set(lists.flat());
}

async function read(target: ApiTarget, path: string): Promise<JsonValue> {
  const { status, body } = await target.send({ method: 'GET', path, headers: { accept: 'application/json' } });
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body).slice(0, 200)}`);
  return body;
}

function list(value: JsonValue, name: string): readonly JsonValue[] {
  const found = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(found) ? found : [];
}
