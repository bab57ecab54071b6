/** Makes bundle/, what the package contains, from src/, in the folder that has this program (`make build`). */
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import { bundleDashboard } from './bundle-dashboard.ts';
import { joinChunks, loadedBy } from './join-chunks.ts';
import { publishRequiredTypes, publishTypes } from './published-types.ts';

interface PackageManifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly require: string; readonly default: string }>>;
}

/** What is made, by the names of the package, and where. */
const folder = 'dist/bundle/';
const outdir = fileURLToPath(new URL('../bundle/', import.meta.url));

/** Programs of threads, each a script without imports (`package/module-file.ts`). */
const scripts = ['codec/yaml-thread'];

/** The libraries that the scripts contain; their licences want to be named where they are copied. */
const contained = ['yaml'];

const { bin, exports } = JSON.parse(await readFile('package.json', 'utf8')) as PackageManifest;
const programs = Object.values(bin);
const entries = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry]));
const libraries = entries.map((entry) => entry.default);
const modules = [...programs, ...libraries].map((file) => file.replace(/^\.\//, '').replace(folder, ''));
const entryOf = (file: string): string => `src/${file.replace(/\.js$/, '.ts')}`;

/** The program at a prompt, which starts often: its bundle has its libraries too, and no code of the server. */
const prompt = 'bin/cl.js';

const common = {
  outbase: 'src',
  outdir,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Node keeps the text of what it has loaded: a fifth less, and 5 MB less memory. Names stay, for stack traces.
  minifyWhitespace: true,
  lineLimit: 160,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
} satisfies BuildOptions;

// The names of the files change with their contents, and those of an earlier bundle would be published too.
await rm(outdir, { recursive: true, force: true });
// One file for what is used together: Node loads a thousand modules much slower than a few. Dependencies stay outside.
const bundled = await build({
  ...common,
  metafile: true,
  entryPoints: modules.filter((file) => file !== prompt).map(entryOf),
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  format: 'esm',
  packages: 'external',
});
const { metafile } = await build({
  ...common,
  metafile: true,
  entryPoints: [entryOf(prompt)],
  chunkNames: 'bin/cl/[name]-[hash]',
  splitting: true,
  format: 'esm',
  // etcd3 reads files that lie beside its own.
  external: ['etcd3', '@grpc/grpc-js'],
  // A third of its text is that of the library of YAML, which is half as large in this form.
  alias: { yaml: fileURLToPath(new URL('../../node_modules/yaml/browser/index.js', import.meta.url)) },
  // What came from CommonJS calls it.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);",
  },
});
// What nearly each command loads that asks a server, and what all load.
const { minifyWhitespace, lineLimit, sourcemap, sourcesContent, platform, target, logLevel } = common;
const form = { minifyWhitespace, lineLimit, sourcemap, sourcesContent, platform, target, logLevel } as const;
// The flags of families: those of the first are part of many others.
const flagFiles: Readonly<Record<string, readonly string[]>> = {
  'flags.js': ['read', 'write/edit', 'write/apply'],
  'write-flags.js': ['write', 'write/change', 'write/delete', 'write/nodes', 'write/rollout', 'write/set'],
  'other-flags.js': [
    'access',
    'audit',
    'bench',
    'config',
    'doctor',
    'history',
    'kustomize',
    'shell',
    'snapshot',
    'start',
  ],
};
const online = ['src/cli/commands/read/get.ts', 'src/cli/commands/read/get-table.ts'];
const { outputs } = metafile;
const always = loadedBy(outputs, [entryOf(prompt)]).filter((path) => !path.endsWith(prompt));
await joinChunks(outputs, always, { ...form, name: 'always.js' });
const known = [entryOf(prompt)];
for (const [name, families] of Object.entries(flagFiles)) {
  const files = families.map((family) => `src/cli/commands/${family}/flags.ts`);
  await joinChunks(outputs, loadedBy(outputs, files, known), { ...form, name });
  known.push(...files);
}
await joinChunks(outputs, loadedBy(outputs, online, known), { ...form, name: 'online.js' });
await writeFile(join(outdir, 'bin/cl/LICENSES.txt'), await licencesOf(Object.keys(metafile.inputs)));
const licences = await Promise.all(contained.map((name) => readFile(`node_modules/${name}/LICENSE`, 'utf8')));
await build({
  ...common,
  entryPoints: scripts.map((file) => `src/${file}.ts`),
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  banner: { js: `/*\n${licences.join('\n')}*/` },
  sourcemap: false,
});
await bundleDashboard(join(outdir, 'dashboard'));
const types = await publishTypes(libraries.map(nameOf));
for (const { require: file, default: library } of entries) {
  await writeFile(file.replace(`./${folder}`, outdir), required(library));
  await publishRequiredTypes(nameOf(library), exportsOf(library), types);
}
await Promise.all(programs.map((file) => chmod(file.replace(`./${folder}`, outdir), 0o755)));

/** The name of a library in this package, such as `server/index`. */
function nameOf(library: string): string {
  return library.replace(`./${folder}`, '').replace(/\.js$/, '');
}

/** The names that a library exports, without types. */
function exportsOf(library: string): readonly string[] {
  const source = `src/${nameOf(library)}.ts`;
  return Object.values(bundled.metafile.outputs).find(({ entryPoint }) => entryPoint === source)?.exports ?? [];
}

/**
 * What CommonJS gets: the same ES module as \`import\` gives, from Node. The \`require\` of jest loads
 * no ES modules, and it replaces \`process\` and \`node:module\`, so both are those outside of its context.
 */
function required(library: string): string {
  return `'use strict';
const { createRequire } = require('node:vm').runInThisContext('process').getBuiltinModule('node:module');
module.exports = createRequire(__filename)('./${basename(library)}');
`;
}

/** The licences of the libraries that files belong to, which want to be where they are copied. */
async function licencesOf(files: readonly string[]): Promise<string> {
  const found = files.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  const names = [...new Set(found.filter((name) => name !== undefined))].toSorted();
  const texts = names.map(async (name) => {
    const library = `node_modules/${name}`;
    const file = (await readdir(library)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file !== undefined) return `${name}\n\n${await readFile(join(library, file), 'utf8')}`;
    // Some packages only name it.
    const { license } = JSON.parse(await readFile(join(library, 'package.json'), 'utf8')) as { license?: string };
    if (license === undefined) throw new Error(`${library} has no licence`);
    return `${name}\n\n${license}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}
