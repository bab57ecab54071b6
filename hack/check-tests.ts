// No test of the gate depends on how fast the machine is: tests judge CPU time, counts or ratios, and never an upper bound of
// wall time. A lower bound is fine, because it holds on every slower machine. Their servers keep idle connections. The names of
// test files in the Makefile are files: mocha only warns about a name without a file, and expands braces only beside a star.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { report, type SourceFile, sourceFiles } from './source-files.ts';

/** Programs that need the machine for themselves. Their tests are part of the gate. */
const measures = /^test\/(?:bench|fidelity|mutants|robustness|soak)\/(?!.*\.test\.ts$)/;

/** The wall time since a moment that a variable keeps. */
const elapsed = String.raw`\b(?:performance|Date)\.now\(\) - [a-z][\w.]*`;

interface TestRule {
  readonly finds: (line: string, names: readonly string[]) => boolean;
  readonly advice: string;
}

const rules: readonly TestRule[] = [
  {
    finds: (line) => /\b(?:monitorEventLoopDelay|eventLoopUtilization)\b/.test(line),
    advice: 'the loop is also late because of other programs: measureBlocks has the CPU time of its turns',
  },
  {
    finds: (line) => new RegExp(String.raw`(?:\breturn|=>|\.push\(|\+=) ?\(?${elapsed}`).test(line),
    advice: 'wall time that is collected is judged elsewhere: cpuMsOf has the CPU time of work',
  },
  {
    finds: (line, names) => new RegExp(String.raw`\bassert\b.*(?:${[elapsed, ...names].join('|')})\)* <`).test(line),
    advice: 'an upper bound of wall time fails on a slow machine: judge CPU time, counts or a ratio',
  },
];

/** The names of variables with wall time. */
function elapsedNames(text: string): readonly string[] {
  const assignments = text.matchAll(new RegExp(String.raw`\b(\w+) = [(\w ]*${elapsed}`, 'g'));
  return [...assignments].map(([, name = '']) => String.raw`\b${name}\b`);
}

/** Node's own limit for idle connections is five seconds: a slow machine takes longer between two requests of a story. */
function idleFindings({ path, text }: SourceFile): string[] {
  const serves = /^import .*\bcreateServer\b.* from 'node:https?'|\bhttps?\.createServer\(/m.test(text);
  const keepsIdle = /\b(?:idleConnections|http1Settings)\b/.test(text);
  return serves && !keepsIdle ? [`${path}: its server closes idle connections early: give it idleConnections`] : [];
}

function wallTimeFindings({ path, text }: SourceFile): string[] {
  const names = elapsedNames(text);
  return text.split('\n').flatMap((line, index) => {
    const broken = rules.filter(({ finds }) => finds(line, names));
    return broken.map(({ advice }) => `${path}:${index + 1}: ${advice}`);
  });
}

/** Targets of the Makefile that name test files. */
const targets = ['test-in-process', 'test-systems', 'test-on-node-24', 'test-faults', 'test-matrices'];

function missingFiles(): string[] {
  const { stdout } = spawnSync('make', ['-n', ...targets], { encoding: 'utf8' });
  const names = [...stdout.matchAll(/(?<=[\s'])dist\/(test\/\S+)\.js/g)].map(([, name = '']) => name);
  if (names.length === 0) return ['Makefile: its targets name no test file'];
  const missing = new Set(names.filter((name) => !name.includes('*') && !existsSync(`${name}.ts`)));
  return [...missing].map((name) => `Makefile: ${name} is not the name of a test file`);
}

const files = sourceFiles('test', '.ts').filter(({ path }) => !measures.test(path));
report('tests', [...files.flatMap(wallTimeFindings), ...files.flatMap(idleFindings), ...missingFiles()]);
