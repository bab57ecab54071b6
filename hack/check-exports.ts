// Every exported name is imported by another file of src or hack, or published. An export that only tests import is
// dead, or need not be one: a test goes through the door that the program uses.
import path from 'node:path';
import { report, type SourceFile, sourceFiles } from './source-files.ts';

/** The entry points of package.json: all that they export is published. */
const published: ReadonlySet<string> = new Set([
  ...['server', 'client', 'testing'].map((name) => `src/${name}/index.ts`),
  // The bundle of the dashboard has it in the place of a global.
  'src/dashboard/server/text-buffer.ts',
]);

function exportsOf({ text }: SourceFile): readonly string[] {
  const declared = text.matchAll(
    /^export (?:abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm,
  );
  const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [...[...declared].map(([, name = '']) => name), ...[...listed].flatMap(([, names = '']) => namesIn(names, 1))];
}

/** The names of a list in braces: those of the other module (0), or those that they get here (1). */
function namesIn(list: string, side: 0 | 1): readonly string[] {
  const items = list.split(',').map((item) => item.trim().replace(/^type /, ''));
  return items.filter((item) => item !== '').map((item) => item.split(' as ').at(-side) ?? item);
}

/** What a file imports and exports again, as `path#name`; `path#*` for a whole module. */
function importsOf(file: SourceFile): readonly string[] {
  const statements = file.text.matchAll(
    /(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*(?:\s+as\s+\w+)?)\s+from\s+'(\.[^']+)'/g,
  );
  const dynamic = file.text.matchAll(/import\(\s*'(\.[^']+)'\s*\)/g);
  const resolve = (target: string): string => path.posix.join(path.posix.dirname(file.path), target);
  return [
    ...[...statements].flatMap(([, names = '', target = '']) =>
      names.startsWith('{')
        ? namesIn(names.slice(1, -1), 0).map((name) => `${resolve(target)}#${name}`)
        : [`${resolve(target)}#*`],
    ),
    ...[...dynamic].map(([, target = '']) => `${resolve(target)}#*`),
  ];
}

const sources = [...sourceFiles('src', '.ts'), ...sourceFiles('src', '.tsx')];
const used = new Set([...sources, ...sourceFiles('hack', '.ts')].flatMap(importsOf));
const findings = sources
  .filter((file) => !file.path.startsWith('src/gen/') && !published.has(file.path) && !used.has(`${file.path}#*`))
  .flatMap((file) => exportsOf(file).map((name) => ({ file, name })))
  .filter(({ file, name }) => !used.has(`${file.path}#${name}`))
  .map(({ file, name }) => `${file.path}: nobody but tests imports ${name}`);
report('exports', findings);
