import type { Field, ObjectSchema } from '../../scheme/model/schema.ts';

const fields: Readonly<Record<string, string>> = {
  major: 'Major version of the API.',
  minor: 'Minor version of the API.',
  gitVersion: 'Version of the server, with its major, minor and patch number.',
  gitCommit: 'Commit from which the server was built.',
  gitTreeState: 'Whether the sources had changes beside that commit.',
  buildDate: 'Time of the build.',
  goVersion: 'Version of the language runtime.',
  compiler: 'Compiler of the server.',
  platform: 'Operating system and architecture.',
};

/** The schema of `/version`, which is no kind. */
export const versionSchema: ObjectSchema = {
  type: 'object',
  name: 'api.version.v1.Info',
  description: 'The version of a server.',
  fields: new Map(
    Object.entries(fields).map(([name, description], index) => [name, field(name, description, index + 1)]),
  ),
  atomic: false,
  preserveUnknown: false,
};

function field(name: string, description: string, number: number): Field {
  const schema = { type: 'string' } as const;
  return { name, number, description, schema, inlinePath: [], required: true, alwaysPresent: true, explicit: false };
}
